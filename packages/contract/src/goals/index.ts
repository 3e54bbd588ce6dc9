export * from './goals.ts';
export * from './plan.ts';
export * from './routes.ts';
