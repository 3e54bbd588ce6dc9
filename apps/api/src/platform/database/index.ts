export {
  brokenUniqueName,
  createDatabase,
  type Database,
  type DatabaseConnection,
  isDatabaseUp,
  isForeignKeyBroken,
} from './database.ts';
export { migrate } from './migrations.ts';
