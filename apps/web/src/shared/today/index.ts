export {
  followOwnClock,
  knownToday,
  loadToday,
  reloadToday,
  stopToday,
  takePushedToday,
  takeToday,
} from './today.ts';
export { useStudyDay, useToday, useTodaySeconds, useTodayWatch } from './use-today.ts';
