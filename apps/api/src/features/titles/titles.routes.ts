import {
  equipTitle,
  getOwnTitles,
  getTitles,
  titleCatalogue,
  toCatalogueTitle,
} from '@mogakgong/contract';
import { type HttpServer, requestLanguage } from '../../platform/http/index.ts';
import type { TitlesService } from './titles.service.ts';

export function serveTitles(http: HttpServer, titles: TitlesService): void {
  http.serve(getTitles, async ({ request }) => {
    const language = requestLanguage(request.headers);
    return titleCatalogue.map((title) => toCatalogueTitle(title, language));
  });

  http.serve(getOwnTitles, async ({ caller, request }) =>
    titles.list(caller.userId, requestLanguage(request.headers)),
  );

  http.serve(equipTitle, async ({ caller, query, request }) =>
    titles.equip(caller.userId, query.titleId, requestLanguage(request.headers)),
  );
}
