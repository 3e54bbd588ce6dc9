import stackPackage from '../package.json' with { type: 'json' };
import { readStackEnv, type StackEnv } from './env.ts';
import { createLogger, type Logger } from './logger.ts';
import { type Stack, startStack } from './stack.ts';

const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOSPC']);

/** A failure of the start in one sentence that says what to do. */
function explain(error: unknown, env: StackEnv | undefined): string {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return `Port ${env?.port} is taken by another program. Stop it, or choose another: PORT=3001 npm start`;
  }
  if (code === 'EACCES' && syscall === 'listen') {
    return `Port ${env?.port} needs more rights than this user has. Choose one from 1024 up: PORT=3000 npm start`;
  }
  if (code !== undefined && UNWRITABLE.has(code)) {
    return `DATA_DIR ${env?.dataDir} cannot be written (${code}). Change its owner, or choose another: DATA_DIR=~/mogakgong-data npm start`;
  }
  return message;
}

/**
 * Entry point of `npm start`: starts everything and keeps it running. SIGINT and SIGTERM stop it, a second
 * one at once; SIGHUP restarts the API without a failed request.
 */
async function main(): Promise<void> {
  const stopping = new AbortController();
  const hurrying = new AbortController();
  const started = new AsyncDisposableStack();
  let env: StackEnv | undefined;
  let logger: Logger = createLogger('info');
  let stack: Stack | undefined;
  let starting: Promise<Stack> | undefined;

  const stop = async (exitCode: number) => {
    if (stopping.signal.aborted) {
      hurrying.abort();
      return;
    }
    stopping.abort();
    // A process that is still starting can only be stopped once it runs: nothing may be left behind.
    await starting?.catch(() => undefined);
    await started.disposeAsync().catch((error: unknown) => {
      logger.error({ err: error }, 'A part could not be stopped');
    });
    process.exit(exitCode);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));
  process.on('SIGHUP', () => stack?.restart());
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(fault, (error) => {
      logger.fatal({ err: error }, 'Stopping after a fault that nobody handled');
      void stop(1);
    });
  }
  // The parent process has ended: nobody else could stop this one.
  if (process.channel) process.on('disconnect', () => void stop(0));

  try {
    env = readStackEnv();
    logger = createLogger(env.logLevel);
    const isWatched = process.argv.includes('--dev');
    starting = startStack({
      env,
      logger,
      signal: stopping.signal,
      hurry: hurrying.signal,
      isWatched,
      started,
    });
    stack = await starting;
    process.stdout.write(`✓ Mogakgong ${stackPackage.version} is ready: ${stack.url}\n`);
  } catch (error) {
    if (stopping.signal.aborted) return;
    process.stderr.write(`✗ ${explain(error, env)}\n`);
    await stop(1);
  }
}

await main();
