#!/bin/sh
# The commands of the image: `docker run IMAGE`, or `docker exec CONTAINER mogakgong COMMAND` in a running container.
set -eu

# Ids of processes, by which the product notices that it runs already, mean nothing in another container: two would
# open one database. So a container holds its volume with a lock that ends with its processes.
hold_volume() {
  [ -z "${DATABASE_URL:-}${DATABASE_URL_FILE:-}" ] || return 0
  if [ ! -w "$DATA_DIR" ]; then
    echo "✗ User $(id -u) cannot write $DATA_DIR: change the owner of what is mounted there (chown 1000:1000)." >&2
    exit 1
  fi
  lock="$DATA_DIR/container.lock"
  # The product that runs in this container holds it already.
  ! ls -l /proc/[0-9]*/fd 2>/dev/null | grep -qF "$lock" || return 0
  exec 9>>"$lock"
  flock --nonblock 9 && return
  echo "✗ Another container runs with this volume: stop it first, or run the command in it with docker exec." >&2
  exit 1
}

command=${1:-start}
[ "$#" -eq 0 ] || shift
case $command in
  start | admin | backup | restore | migrate | rebuild-focus | rebuild:focus) hold_volume ;;
esac
case $command in
  start) exec node apps/stack/src/main.ts "$@" ;;
  # One process of the API, with the options that the stack gives it.
  api) exec node --max-semi-space-size=16 apps/api/src/main.ts "$@" ;;
  # One media server, for an API elsewhere.
  media) exec node apps/stack/src/media-alone.ts "$@" ;;
  admin) exec node apps/stack/src/with-database.ts apps/api/src/admin.ts "$@" ;;
  backup | restore | migrate) exec node apps/stack/src/with-database.ts "apps/api/src/$command.ts" "$@" ;;
  rebuild-focus | rebuild:focus) exec node apps/stack/src/with-database.ts apps/api/src/rebuild-focus.ts "$@" ;;
  doctor) exec node scripts/doctor.mjs "$@" ;;
  health) exec node deploy/health.mjs "$@" ;;
  *)
    echo "✗ There is no command $command: start, api, media, admin, backup, restore, migrate, rebuild-focus, doctor or health." >&2
    exit 2
    ;;
esac
