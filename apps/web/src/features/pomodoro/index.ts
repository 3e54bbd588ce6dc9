/** The parts of a room's pomodoro, in one file to download. */
export { announceSchedule } from './announce-schedule.ts';
export { PhaseSignal } from './phase-signal.tsx';
export { PomodoroChip, PomodoroMark } from './pomodoro-chip.tsx';
