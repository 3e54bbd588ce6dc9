export type { PomodoroService } from './pomodoro.service.ts';
export { createPomodoro } from './pomodoro.ts';
