import { hasRedis } from '../../test/redis-server.ts';
import { type Site, startSite } from './site.ts';

/** The exit code of a run that did not take place: neither a success nor a finding. */
export const SKIPPED = 2;

/** Starts a site for a run, ends it in any case, and reports the result. */
export async function runChaos(run: (site: Site) => Promise<boolean>): Promise<void> {
  if (!hasRedis) {
    console.log('skipped: two processes need a redis-server, and there is none here');
    process.exitCode = SKIPPED;
    return;
  }
  const site = await startSite();
  let isGood = false;
  try {
    isGood = await run(site);
  } finally {
    await site.close();
  }
  console.log(isGood ? 'passed' : 'FAILED');
  process.exitCode = isGood ? 0 : 1;
}
