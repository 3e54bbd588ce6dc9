export type { TitlesService } from './titles.service.ts';
export { createTitles } from './titles.ts';
