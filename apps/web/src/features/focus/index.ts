export { FocusClockText, FocusSign, OwnClockText } from './focus-clock.tsx';
export { BreakButton, FocusControls, StatusButton } from './focus-controls.tsx';
export type { OwnTimerView } from './own-timer.ts';
