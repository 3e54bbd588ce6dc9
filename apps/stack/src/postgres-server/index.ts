export {
  type PostgresOptions,
  type PostgresServer,
  runningPostgresUrl,
  startPostgres,
} from './postgres-server.ts';
