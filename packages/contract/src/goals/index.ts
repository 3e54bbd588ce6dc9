export * from './goals.ts';
export * from './routes.ts';
