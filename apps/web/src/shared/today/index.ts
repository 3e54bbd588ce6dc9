export { expectLeaving, loadToday } from './asking.ts';
export {
  expectClock,
  followOwnClock,
  knownToday,
  takePushedToday,
  takeToday,
} from './today.ts';
export {
  useStudyDay,
  useToday,
  useTodayMinutes,
  useTodaySeconds,
  useTodayWatch,
} from './use-today.ts';
