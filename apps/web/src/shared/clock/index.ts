export { clockText, paddedClockText, remainingText, timeOfDayText } from './clock-text.ts';
export { answerInTime, notePushedTime, onClockDoubt, serverNowMs } from './server-clock.ts';
export { useSecond } from './ticker.ts';
export { onWake } from './waking.ts';
