export {
  brokenUniqueName,
  createDatabase,
  type Database,
  isDatabaseUp,
  isForeignKeyBroken,
} from './database.ts';
export { migrate } from './migrations.ts';
