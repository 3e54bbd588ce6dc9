export * from './clock.ts';
export * from './routes.ts';
export * from './settings.ts';
export * from './silence.ts';
export * from './today.ts';
export * from './transitions.ts';
