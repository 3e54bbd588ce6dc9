export { PhaseSignal } from './phase-signal.tsx';
export { PomodoroChip } from './pomodoro-chip.tsx';
export { PomodoroSection } from './pomodoro-section.tsx';
