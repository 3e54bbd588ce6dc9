export { createPomodoroRepository } from './pomodoro.repository.ts';
export { servePomodoro } from './pomodoro.routes.ts';
export { createPomodoroService, type PomodoroService } from './pomodoro.service.ts';
