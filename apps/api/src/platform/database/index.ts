export {
  brokenUniqueName,
  createDatabase,
  type Database,
  isConnectionLost,
  isDatabaseUp,
  isForeignKeyBroken,
  retryConflict,
} from './database.ts';
export { migrate } from './migrations.ts';
