export { FocusClockText, FocusSign } from './focus-clock.tsx';
export { BreakButton, FocusControls, StatusButton } from './focus-controls.tsx';
export { type OwnTimerView, useOwnTimer } from './own-timer.ts';
