export { countOpenCases } from './case-counts.ts';
export type { ReportsService } from './reports.service.ts';
export { createReports } from './reports.ts';
