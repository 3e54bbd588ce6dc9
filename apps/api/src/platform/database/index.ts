export {
  brokenUniqueName,
  createDatabase,
  type Database,
  isConnectionLost,
  isDatabaseUnavailable,
  isDatabaseUp,
  isForeignKeyBroken,
  readDatabaseClock,
  retryConflict,
} from './database.ts';
export { migrate } from './migrations.ts';
