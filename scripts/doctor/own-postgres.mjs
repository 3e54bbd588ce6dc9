import { apiNode } from '../stack/node-version.mjs';
import { root } from '../stack/places.mjs';
import { run } from '../stack/run.mjs';
import { note, ok, problem } from './finding.mjs';

/** The operator's own PostgreSQL: does it answer, and has it connections for all processes of this machine. */
export async function checkOwnPostgres() {
  const script = `
    import { readFileSync } from 'node:fs';
    import { createDatabase, poolShare } from './apps/api/src/platform/database/index.ts';
    import { createLogger } from './apps/api/src/platform/logger/index.ts';
    const { DATABASE_URL, DATABASE_URL_FILE, DATABASE_POOL, API_PROCESSES } = process.env;
    const connectionString = DATABASE_URL || readFileSync(DATABASE_URL_FILE, 'utf8').trim();
    const database = createDatabase({
      connection: { connectionString }, logger: createLogger('silent'), poolSize: 1,
    });
    const [wanted, processes] = [Number(DATABASE_POOL || 10), Number(API_PROCESSES || 1)];
    try {
      console.log(wanted, await poolShare(database, { wanted, processes }));
    } catch (error) {
      console.log(error.message || error.code);
    }
    await database.destroy();`;
  const lines = await run(apiNode(), ['--input-type=module', '--eval', script], {
    cwd: root,
  }).catch(() => null);
  if (lines === null) {
    return note(
      'PostgreSQL: your own (DATABASE_URL); it is asked once the dependencies are installed',
    );
  }
  const [line = ''] = lines;
  const share = /^(\d+) (\d+)$/u.exec(line);
  if (share === null) {
    return problem(`Your PostgreSQL does not answer: ${line}`, 'Correct DATABASE_URL.');
  }
  const [wanted, least] = [Number(share[1]), Number(share[2])];
  if (least === wanted) return ok(`Your PostgreSQL has ${wanted} connections for each process`);
  return note(
    `Your PostgreSQL has ${least} connections for each process, fewer than DATABASE_POOL (${wanted})`,
    'Raise max_connections of PostgreSQL, or leave it: processes take their share.',
  );
}
