import { Readable } from 'node:stream';
import {
  exportIntervals,
  getLookBack,
  getStatistics,
  getStudyDays,
  getStudyHours,
  getStudySubjects,
  getVisits,
  getWeeks,
} from '@mogakgong/contract';
import { callLanguage, type HttpServer } from '../../platform/http/index.ts';
import type { StatisticsService } from './statistics.service.ts';

export function serveStatistics(http: HttpServer, statistics: StatisticsService): void {
  http.serve(getStatistics, async ({ caller }) => statistics.summarise(caller.userId));
  http.serve(getStudyDays, async ({ caller, query }) => statistics.findDays(caller.userId, query));
  http.serve(getStudyHours, async ({ caller, query }) =>
    statistics.findHours(caller.userId, query),
  );
  http.serve(getStudySubjects, async ({ caller, query }) =>
    statistics.findSubjects(caller.userId, query),
  );
  http.serve(getVisits, async ({ caller, query }) => statistics.findVisits(caller.userId, query));
  http.serve(getWeeks, async ({ caller }) => statistics.findWeeks(caller.userId));
  http.serve(getLookBack, async ({ caller, request }) =>
    statistics.lookBack(caller.userId, callLanguage(request.headers)),
  );
  http.serve(exportIntervals, async ({ caller, query, reply }) => {
    const csv = await statistics.exportIntervals(caller.userId, query);
    reply.header(
      'content-disposition',
      `attachment; filename="mogakgong-${query.from}-${query.to}.csv"`,
    );
    return Readable.from(csv);
  });
}
