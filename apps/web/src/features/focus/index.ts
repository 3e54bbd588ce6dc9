export { FocusClockText } from './focus-clock-text.tsx';
export { FocusControls } from './focus-controls.tsx';
export { FocusSign } from './focus-sign.tsx';
export { StatusButton } from './status-button.tsx';
export { type OwnTimerView, useOwnTimer } from './use-own-timer.ts';
