export { PhaseSignal } from './phase-signal.tsx';
export { PomodoroChip, PomodoroMark } from './pomodoro-chip.tsx';
