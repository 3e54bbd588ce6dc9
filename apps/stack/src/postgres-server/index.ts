export { type PostgresOptions, type PostgresServer, startPostgres } from './postgres-server.ts';
