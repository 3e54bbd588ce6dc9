import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { startStack } from '../test/running-stack.ts';

/**
 * Schemathesis sends what fits and what does not fit the OpenAPI document to the running product, as
 * learners who are logged in: no answer may be a server error, have a status, type or shape that the
 * document does not name, accept what the document forbids, or ignore a missing log-in.
 *
 *     npm run fuzz [cases per operation] [seed]
 *
 * Needs python3 from 3.11 with pip. Exits with 75 when schemathesis cannot be installed here.
 */
const CASES_PER_OPERATION = process.argv[2] ?? '50';
const SEED = process.argv[3] ?? '11';
/** Ends what hangs: a whole run takes about 145 s on two cores that do nothing else. */
const DEADLINE_MS = 400_000;
const CANNOT_RUN = 75;

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'ignored_auth',
];

/** Where schemathesis is installed, and leaves its notes. */
const cache = path.resolve(import.meta.dirname, '../.cache/schemathesis');
const requirements = path.join(import.meta.dirname, 'requirements.txt');

/** Runs a command with our terminal; its exit code. */
async function run(command: string, args: readonly string[], env = process.env): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env, cwd: cache, timeout: DEADLINE_MS });
  const [code] = await once(child, 'exit').catch(() => [CANNOT_RUN]);
  return code ?? 1;
}

const HAS_PYTHON = 'import sys, pip; sys.exit(sys.version_info < (3, 11))';

/** The folder that schemathesis is installed in, by the hashes of its requirements; null without python3. */
async function installSchemathesis(): Promise<string | null> {
  const version = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  const folder = path.join(cache, version.slice(0, 16));
  if ((await run('python3', ['-c', HAS_PYTHON])) !== 0) {
    console.error(
      'The fuzz run needs python3 from 3.11 with pip. Install them, then run it again.',
    );
    return null;
  }
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  const code = await run('python3', [
    ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-cache-dir'],
    ...['--require-hashes', '--only-binary=:all:', '--target', draft],
    ...['--requirement', requirements],
  ]);
  if (code !== 0) {
    await rm(draft, { recursive: true, force: true });
    console.error('pip could not install schemathesis (see above).');
    return null;
  }
  await rename(draft, folder);
  return folder;
}

async function fuzz(folder: string): Promise<number> {
  const stack = await startStack('fuzz');
  try {
    const env = {
      ...process.env,
      PYTHONPATH: [folder, import.meta.dirname].join(path.delimiter),
      PYTHONDONTWRITEBYTECODE: '1',
      SCHEMATHESIS_HOOKS: 'hooks',
    };
    return await run(
      'python3',
      [
        path.join(folder, 'bin/st'),
        ...['run', `${stack.url}/api/openapi.json`, '--url', stack.url],
        ...['--checks', CHECKS.join(',')],
        ...['--phases', 'examples,coverage,fuzzing', '--max-examples', CASES_PER_OPERATION],
        ...['--seed', SEED, '--generation-database', 'none'],
        ...['--continue-on-failure', '--request-timeout', '10', '--warnings', 'off'],
      ],
      env,
    );
  } finally {
    await stack.stop();
  }
}

await mkdir(cache, { recursive: true });
const folder = await installSchemathesis();
process.exitCode = folder === null ? CANNOT_RUN : await fuzz(folder);
