import type { Jobs } from '../../platform/jobs/index.ts';
import { FILL_HOLES_EVERY_MS } from '../realtime/index.ts';
import { type PresenceParts, PresenceService } from './presence.service.ts';

interface PresenceFeatureParts extends PresenceParts {
  readonly jobs: Jobs;
}

/** The members of a room and their states, for everybody in it. */
export function createPresence(parts: PresenceFeatureParts): PresenceService {
  const presence = new PresenceService(parts);
  parts.jobs.add({
    name: 'holes in rosters',
    everyMs: FILL_HOLES_EVERY_MS,
    runs: 'process',
    run: () => presence.fillHoles(),
  });
  return presence;
}
