import { acknowledgeSanction, appealSanction, getOwnSanctions, HOUR_MS } from '@mogakgong/contract';
import type { ProcessContext } from '../../platform/context/index.ts';
import type { AppContext } from './app-context.ts';
import { createSanctionsRepository } from './sanctions.repository.ts';
import { SanctionsService } from './sanctions.service.ts';

/** Repeats the work of the backplane: a decision takes effect within two seconds in any case. */
const LEARN_EVERY_MS = 1_000;

/** The service of sanctions, loaded before the first request is answered. */
export async function createSanctions(context: ProcessContext): Promise<SanctionsService> {
  const repository = createSanctionsRepository(context.database);
  const sanctions = new SanctionsService({ ...context, repository });
  await sanctions.inForce.learn();
  return sanctions;
}

/** A learner's own sanctions. */
export function serveSanctions({ http, jobs, sanctions }: AppContext): void {
  http.serve(getOwnSanctions, async ({ caller }) => ({
    sanctions: await sanctions.findOwn(caller.userId),
  }));

  http.serve(acknowledgeSanction, async ({ caller, params }) => ({
    sanctions: await sanctions.acknowledge(caller.userId, params.sanctionId),
  }));

  http.serve(appealSanction, async ({ caller, params, body }) => ({
    sanctions: await sanctions.appeal(caller.userId, params.sanctionId, body.text),
  }));

  const learn = () => sanctions.inForce.learn();
  const deleteOld = () => sanctions.deleteOld();
  jobs.add(
    { name: 'sanctions', everyMs: LEARN_EVERY_MS, runs: 'process', run: learn },
    { name: 'old sanctions', everyMs: HOUR_MS, runs: 'site', run: deleteOld },
  );
}
