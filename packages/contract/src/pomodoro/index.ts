export * from './pomodoro.ts';
