import {
  equipTitle,
  getOwnTitles,
  getTitles,
  titleCatalogue,
  toCatalogueTitle,
} from '@mogakgong/contract';
import { callLanguage, type HttpServer } from '../../platform/http/index.ts';
import type { TitlesService } from './titles.service.ts';

export function serveTitles(http: HttpServer, titles: TitlesService): void {
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
}
