export * from './periods.ts';
export * from './statistics.ts';
export * from './visits.ts';
