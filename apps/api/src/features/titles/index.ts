export { createTitlesRepository } from './titles.repository.ts';
export { serveTitles } from './titles.routes.ts';
export { TitlesService } from './titles.service.ts';
