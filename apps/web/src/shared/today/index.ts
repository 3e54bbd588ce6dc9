export {
  expectClock,
  expectLeaving,
  followOwnClock,
  knownToday,
  loadToday,
  takePushedToday,
  takeToday,
} from './today.ts';
export {
  useStudyDay,
  useTimeZone,
  useToday,
  useTodayMinutes,
  useTodaySeconds,
} from './use-today.ts';
