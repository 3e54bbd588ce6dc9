export { clockText, paddedClockText, remainingText, timeOfDayText } from './clock-text.ts';
export { adjustClockByPush, onClockUncertain, serverNowMs, timedCall } from './server-clock.ts';
export { onSecond, useSecond } from './ticker.ts';
export { onWake } from './waking.ts';
