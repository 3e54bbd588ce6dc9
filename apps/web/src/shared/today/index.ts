export {
  expectClock,
  expectLeaving,
  followOwnClock,
  knownToday,
  loadToday,
  takePushedToday,
  takeToday,
} from './today.ts';
export { useStudyDay, useToday, useTodaySeconds, useTodayWatch } from './use-today.ts';
