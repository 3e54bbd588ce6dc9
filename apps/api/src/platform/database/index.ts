export { poolShare } from './connection-share.ts';
export {
  createDatabase,
  type Database,
  LOST_CLIENT_SETTINGS,
  LOST_SERVER_OPTIONS,
  type PooledDatabase,
  readDatabaseClock,
  setSettings,
} from './database.ts';
export {
  brokenUniqueName,
  isDatabaseUnavailable,
  isForeignKeyBroken,
  retryConflict,
  retryLost,
} from './database-errors.ts';
export { CHECK_DATABASE_EVERY_MS, watchDatabase } from './database-watch.ts';
export { applySteps, knownSteps, migrate, namesOfSteps } from './migrations.ts';
export { letStatementsTake } from './prepared-statements.ts';
export {
  deleteInSlices,
  forEachDue,
  inHalves,
  LARGE_ROWS,
  SLICE_ROWS,
  sweepInSlices,
} from './slices.ts';
