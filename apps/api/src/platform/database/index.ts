export {
  brokenUniqueName,
  createDatabase,
  type Database,
  isDatabaseUnavailable,
  isDatabaseUp,
  isForeignKeyBroken,
  readDatabaseClock,
  retryConflict,
  retryLost,
} from './database.ts';
export { migrate } from './migrations.ts';
export {
  deleteInSlices,
  forEachDue,
  inHalves,
  LARGE_ROWS,
  SLICE_ROWS,
  sweepInSlices,
} from './slices.ts';
