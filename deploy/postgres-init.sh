#!/bin/sh
# Runs once, when the database is made: the API gets a role that owns its database and nothing else.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 --set password="$(cat /run/secrets/database-password)" <<'SQL'
create role mogakgong login password :'password';
create database mogakgong owner mogakgong;
SQL
