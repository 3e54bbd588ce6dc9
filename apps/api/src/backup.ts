import { parseArgs } from 'node:util';
import { backUp, copyLedger } from './features/backup/index.ts';
import { readEnv } from './platform/env/index.ts';

/** `npm run backup -- [FILE]`: writes an archive of everything, whether the product runs or not. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    // For the product itself.
    options: {
      daily: { type: 'boolean', default: false },
      ledger: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  if (values.ledger) return copyLedger(readEnv());
  const text = await backUp(readEnv(), positionals[0], values.daily ? 'daily' : 'backup');
  process.stdout.write(`${text}\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
