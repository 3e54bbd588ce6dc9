import {
  equipTitle,
  getOwnTitles,
  getTitles,
  titleCatalogue,
  toCatalogueTitle,
} from '@mogakgong/contract';
import { callLanguage } from '../../platform/http/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createTitlesRepository } from './titles.repository.ts';
import { TitlesService, type TitlesUses } from './titles.service.ts';

/** Maximum delay of a title after a stored sign of life covers its moment. */
const AWARD_EVERY_MS = 20_000;

/** Titles that learners win and wear. */
export function createTitles(context: AppContext, uses: TitlesUses): TitlesService {
  const { http, jobs } = context;
  const repository = createTitlesRepository(context.database);
  const titles = new TitlesService({ ...context, ...uses, repository });

  http.serve(getTitles, async ({ request }) => {
    const language = callLanguage(request.headers);
    return titleCatalogue.map((title) => toCatalogueTitle(title, language));
  });

  http.serve(getOwnTitles, async ({ caller, request }) =>
    titles.list(caller.userId, callLanguage(request.headers)),
  );

  http.serve(equipTitle, async ({ caller, query, request }) =>
    titles.equip(caller.userId, query.titleId, callLanguage(request.headers)),
  );

  const award = () => titles.awardFocusing();
  const name = 'titles of those who focus';
  jobs.add({ name, everyMs: AWARD_EVERY_MS, runs: 'process', run: award });
  return titles;
}
