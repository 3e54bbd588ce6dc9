export {
  brokenUniqueName,
  createDatabase,
  type Database,
  type DatabaseConnection,
  isDatabaseUp,
} from './database.ts';
export { migrate } from './migrations.ts';
