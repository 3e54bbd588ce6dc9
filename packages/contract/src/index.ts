export * from './accounts.ts';
export * from './errors.ts';
export * from './ids.ts';
export * from './limits.ts';
export * from './media.ts';
export * from './rooms.ts';
export * from './route.ts';
export * from './routes.ts';
