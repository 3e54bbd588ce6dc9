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
export { deleteInSlices, inHalves, SLICE_ROWS, sweepInSlices } from './slices.ts';
