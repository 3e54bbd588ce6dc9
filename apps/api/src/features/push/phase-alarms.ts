import type { UserId } from '@mogakgong/contract';
import { findPhaseEnds } from '../focus/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { PushService } from './push.service.ts';

const LOOK_EVERY_MS = 1_000;
/** A process that takes the job over sends alarms of phases that ended while nobody looked, but not of old ones. */
const LOOKS_BACK_MS = 30_000;

/** Notifies followers of a room's schedule when one of its phases ends. */
export function createPhaseAlarms(
  { database, clock, jobs }: AppContext,
  push: Pick<PushService, 'send'>,
): void {
  let lookedUntilMs = 0;

  async function look(): Promise<void> {
    const now = clock.now();
    const since = new Date(Math.max(lookedUntilMs, now.getTime() - LOOKS_BACK_MS));
    const ends = await findPhaseEnds(database, since, now);
    lookedUntilMs = now.getTime();
    const byEvent = Map.groupBy(ends, ({ kind, atMs }) => `${kind}:${atMs}`);
    for (const [id, [first, ...others]] of byEvent) {
      if (!first) continue;
      const userIds = [first, ...others].map(({ userId }): UserId => userId);
      void push.send(userIds, { id, kind: first.kind === 'focus' ? 'focusEnd' : 'breakEnd' });
    }
  }

  jobs.add({ name: 'phase alarms', everyMs: LOOK_EVERY_MS, runs: 'site', run: look });
}
