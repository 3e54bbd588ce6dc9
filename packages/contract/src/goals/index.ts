export * from './goals.ts';
