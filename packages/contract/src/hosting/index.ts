export * from './hosting.ts';
export * from './routes.ts';
