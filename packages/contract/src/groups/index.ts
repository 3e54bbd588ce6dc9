export * from './attendance.ts';
export * from './groups.ts';
export * from './routes.ts';
export * from './session-routes.ts';
export * from './sessions.ts';
