export { PhaseSignal } from './phase-signal.tsx';
export { PomodoroChip } from './pomodoro-chip.tsx';
