import { parseArgs } from 'node:util';
import { backUp } from './features/backup/index.ts';
import { readEnv } from './platform/env/index.ts';

/** `npm run backup -- [FILE]`: writes an archive of everything, whether the product runs or not. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { daily: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const text = await backUp(readEnv(), positionals[0], values.daily ? 'daily' : 'backup');
  process.stdout.write(`${text}\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
