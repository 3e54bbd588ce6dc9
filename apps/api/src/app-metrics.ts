import { setTimeout as delay } from 'node:timers/promises';
import type { Media } from './features/media/index.ts';
import type { RealtimeHub } from './features/realtime/index.ts';
import { countOpenCases } from './features/reports/index.ts';
import { countSeats } from './features/rooms/index.ts';
import type { AppContext } from './features/sanctions/index.ts';
import { cachedFor } from './platform/batch/index.ts';
import type { PooledDatabase } from './platform/database/index.ts';
import type { Metrics } from './platform/metrics/index.ts';

/** The figures of the site are at most this old; however often they are asked for, they cost two queries in it. */
const SITE_EVERY_MS = 15_000;
/** A scrape goes on without them after this time: the others matter most while the database is slow. */
const SITE_WITHIN_MS = 1_000;

interface MetricsUses {
  readonly connections: PooledDatabase['connections'];
  readonly watch: { readonly isUp: boolean };
  readonly media: Media;
  readonly hub: RealtimeHub;
}

/** Reads what the parts of the process know, at each scrape. */
export function reportMetrics(context: AppContext, uses: MetricsUses): void {
  const { metrics } = context;
  if (!metrics) return;
  metrics.onScrape(() => {
    readConnections(metrics, context, uses.hub);
    readProcess(metrics, context, uses);
    readMedia(metrics, uses.media);
  });
  metrics.onScrape(createSiteReader(metrics, context));
}

function readConnections(metrics: Metrics, { http }: AppContext, hub: RealtimeHub): void {
  const { open, most, closed, refused } = http.connections.figures();
  metrics.connections.set(open);
  metrics.connectionsLimit.set(most);
  metrics.setTotal(metrics.connectionsClosed, closed);
  metrics.setTotal(metrics.connectionsRefused, refused);

  const { connections, learners, received, sent, failures, ends } = hub.figures();
  metrics.realtimeConnections.set(connections);
  metrics.realtimeLearners.set(learners);
  metrics.setTotal(metrics.framesReceived, received);
  metrics.setTotal(metrics.framesSent, sent);
  metrics.setTotal(metrics.realtimeFailures, failures);
  for (const [reason, count] of ends) metrics.setTotal(metrics.realtimeEnds, count, { reason });
}

function readProcess(
  metrics: Metrics,
  { backplane, jobs }: AppContext,
  { connections, watch }: MetricsUses,
): void {
  metrics.backplaneWhole.set(Number(backplane.state === 'whole'));
  metrics.backplaneProcesses.set(backplane.processes);
  metrics.backplaneLag.set(backplane.lagMs / 1_000);
  metrics.databaseUp.set(Number(watch.isUp));
  const { idle, busy, waiting } = connections.figures();
  metrics.pool.set({ state: 'idle' }, idle);
  metrics.pool.set({ state: 'busy' }, busy);
  metrics.poolLimit.set(connections.most);
  metrics.poolWaiting.set(waiting);
  metrics.siteLease.set(Number(jobs.isLeaseHeld));
}

function readMedia(metrics: Metrics, media: Media): void {
  const { servers, removals } = media.figures();
  // A server that was removed has no figures any more.
  for (const gauge of [metrics.mediaLearners, metrics.mediaUp, metrics.mediaOpen]) gauge.reset();
  for (const { id, load, isUp, isOpen } of servers) {
    const labels = { server: String(id) };
    metrics.mediaLearners.set(labels, load);
    metrics.mediaUp.set(labels, Number(isUp));
    metrics.mediaOpen.set(labels, Number(isOpen));
  }
  for (const [fault, count] of Object.entries(removals)) {
    metrics.setTotal(metrics.mediaRemovals, count, { fault });
  }
}

/** The figures of the whole site; other processes than the holder of its lease have none. */
function createSiteReader(metrics: Metrics, context: AppContext) {
  const { database, clock, jobs, logger } = context;
  const read = cachedFor(SITE_EVERY_MS, async () => ({
    seats: await countSeats(database),
    cases: await countOpenCases(database, clock.now()),
  }));
  const { seatsTaken, seatsLost, roomsOccupied, casesOpen, caseOldest } = metrics;
  const gauges = [seatsTaken, seatsLost, roomsOccupied, casesOpen, caseOldest];
  return async () => {
    const figures = jobs.isLeaseHeld
      ? await Promise.race([read(), delay(SITE_WITHIN_MS, null, { ref: false })]).catch((error) => {
          logger.warn({ err: error }, 'the figures of the site cannot be read');
          return null;
        })
      : null;
    // Not old ones: an alert would go on, or never begin.
    for (const gauge of gauges) gauge.remove();
    if (!figures) return;
    seatsTaken.set(figures.seats.taken);
    seatsLost.set(figures.seats.lost);
    roomsOccupied.set(figures.seats.rooms);
    casesOpen.set(figures.cases.open);
    caseOldest.set(figures.cases.oldestSeconds);
  };
}
