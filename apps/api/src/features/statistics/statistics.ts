import { Readable } from 'node:stream';
import {
  exportIntervals,
  getLookBack,
  getStatistics,
  getStudyDays,
  getStudyHours,
  getStudySubjects,
  getTimetable,
  getVisits,
  getWeeks,
  type UserId,
} from '@mogakgong/contract';
import { callLanguage } from '../../platform/http/index.ts';
import { createIntervalLine } from '../focus/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createStatisticsService, type StatisticsUses } from './statistics.service.ts';

/** Statistics of a learner's days. */
export function createStatistics(context: AppContext, uses: StatisticsUses): void {
  const { http } = context;
  const statistics = createStatisticsService(context, uses);
  const inTurn = createIntervalLine<UserId>();
  http.serve(getStatistics, async ({ caller }) => statistics.summarise(caller.userId));
  http.serve(getStudyDays, async ({ caller, query }) => statistics.findDays(caller.userId, query));
  http.serve(getStudyHours, ({ caller, query }) =>
    inTurn(caller.userId, () => statistics.findHours(caller.userId, query)),
  );
  http.serve(getTimetable, ({ caller, query }) =>
    inTurn(caller.userId, () => statistics.findTimetable(caller.userId, query.day)),
  );
  http.serve(getStudySubjects, async ({ caller, query }) =>
    statistics.findSubjects(caller.userId, query),
  );
  http.serve(getVisits, async ({ caller, query }) => statistics.findVisits(caller.userId, query));
  http.serve(getWeeks, ({ caller }) =>
    inTurn(caller.userId, () => statistics.findWeeks(caller.userId)),
  );
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
