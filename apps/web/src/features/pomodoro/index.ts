/** What shares the pomodoro of a room, in one file to download. */
export { PhaseSignal } from './phase-signal.tsx';
export { PomodoroChip, PomodoroMark } from './pomodoro-chip.tsx';
