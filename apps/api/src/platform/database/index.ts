export {
  brokenUniqueName,
  createDatabase,
  type Database,
  isDatabaseUp,
  isForeignKeyBroken,
  retryConflict,
} from './database.ts';
export { migrate } from './migrations.ts';
