export * from './titles.ts';
