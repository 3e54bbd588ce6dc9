export * from './clock.ts';
export * from './routes.ts';
export * from './settings.ts';
