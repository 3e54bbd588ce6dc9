export { createPomodoro, type PomodoroService } from './pomodoro.ts';
