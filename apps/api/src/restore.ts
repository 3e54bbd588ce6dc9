import { askToKeepSecrets, restore } from './features/backup/index.ts';
import { readEnv } from './platform/env/index.ts';

/** `npm run restore -- FILE`: puts what an archive holds in the place of everything, while the product is stopped. */
async function main(): Promise<void> {
  const [file, ...others] = process.argv.slice(2);
  if (file === undefined || others.length > 0) throw new Error('npm run restore -- FILE');
  process.stdout.write(`${await restore(readEnv(), file, askToKeepSecrets)}\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
