export * from './periods.ts';
export * from './statistics.ts';
export * from './timetable.ts';
export * from './visits.ts';
