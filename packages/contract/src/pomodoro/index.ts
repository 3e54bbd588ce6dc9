export * from './pomodoro.ts';
export * from './routes.ts';
