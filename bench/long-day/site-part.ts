import { setTimeout as delay } from 'node:timers/promises';
import { openSite, takeDone } from '../site/seated-site.ts';
import { openFiles, processTree, proportionalBytes, residentBytes } from '../support/processes.ts';
import { inRunDir } from '../support/product.ts';
import { type Day, megabytes, type Sample } from './samples.ts';

const ROOM_MEMBERS = 20;
/** Tokens are valid for 15 minutes. */
const RENEW_EVERY_MS = 600_000;

/** Learners of the API alone, who come, go, write and take breaks as `HABITS` says, in a day that runs faster. */
export function playSite({ minutes, rounds, samples }: Day, learners: number): Promise<Sample[]> {
  return inRunDir(async (runDir) => {
    const site = await openSite(runDir, { rooms: learners / ROOM_MEMBERS, members: ROOM_MEMBERS });
    try {
      const api = await site.startApi('long-day');
      const players = site.startLearners();
      await players.ask({ do: 'connect', port: api.port, learners: site.learners });
      const lastRoomId = Math.max(...site.learners.map(({ roomId }) => roomId));
      await players.ask({ do: 'start', lastRoomId, pace: rounds / minutes });
      const taken: Sample[] = [];
      let renewedMs = performance.now();
      while (taken.length < samples) {
        await delay((minutes * 60_000) / samples);
        if (performance.now() - renewedMs > RENEW_EVERY_MS) {
          renewedMs = performance.now();
          await players.ask({ do: 'renew', learners: await site.renewLearners() });
        }
        const { done, failure } = await takeDone([players]);
        if (failure !== '') console.error(`${done.failed} failed, for example: ${failure}`);
        const [counted] = await site.database.query<Record<string, string>>(
          `select (select count(*) from seat) as "rows: seats",
                  (select count(*) from study_room) as "rows: rooms",
                  (select count(*) from visit where ended_at is null) as "rows: visits that run",
                  (select count(*) from pg_stat_activity where backend_type = 'client backend')
                    as "PostgreSQL: connections"`,
        );
        taken.push({
          'API: resident, MB': megabytes(residentBytes(api.pid())),
          'API: open files': openFiles(api.pid()),
          'PostgreSQL: memory beside its cache, MB': megabytes(
            proportionalBytes(processTree(site.database.postmasterPid), 'Pss_Anon'),
          ),
          ...Object.fromEntries(Object.entries(counted ?? {}).map(([key, n]) => [key, Number(n)])),
          'actions in a sample': done.message + done.press + done.visit + done.today + done.profile,
        });
      }
      await players.ask({ do: 'stop' });
      return taken;
    } finally {
      await site.stop();
    }
  });
}
