import { parseArgs } from 'node:util';

/** A problem that people can solve: shown as it is, without a stack trace. */
export class StartError extends Error {
  name = 'StartError';
}

const PLAIN_REPORT_EVERY_MS = 15_000;
const LIVE_REPORT_EVERY_MS = 200;

export function say(line) {
  console.log(line);
}

/** Shows what is wrong and what to do about it. */
export function complain(line) {
  console.error(`✗ ${line}`);
}

/**
 * Runs one long step and shows its progress and duration.
 * @param {string} title what is done, e.g. "Building the pages"
 * @param {(progress: (detail: string) => void) => Promise<T>} work may report its progress
 * @returns {Promise<T>}
 * @template T
 */
export async function step(title, work) {
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
  const live = process.stdout.isTTY === true;
  let detail = '';
  const status = () => (detail === '' ? title : `${title} (${detail})`);
  const rewrite = (line) => process.stdout.write(`\r\x1b[K${line}`);
  if (!live) {
    say(`… ${title}`);
  }
  const report = setInterval(
    () => (live ? rewrite(`… ${status()} ${seconds()} s`) : say(`… ${status()}: ${seconds()} s`)),
    live ? LIVE_REPORT_EVERY_MS : PLAIN_REPORT_EVERY_MS,
  );
  try {
    const result = await work((text) => {
      detail = text;
    });
    end(`✓ ${title} (${seconds()} s)`);
    return result;
  } catch (error) {
    end(`✗ ${title} (${seconds()} s)`);
    throw error;
  } finally {
    clearInterval(report);
  }

  function end(line) {
    if (live) {
      rewrite('');
    }
    say(line);
  }
}

/** The command's options; an unknown one is a StartError. */
export function readOptions(options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new StartError(`${error.message.split('. ')[0]}.`);
  }
}

/** Runs a script's main function; a problem that people can solve becomes one line, exit code 1. */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    const line = explain(error);
    if (line === undefined) {
      throw error;
    }
    complain(line);
    process.exitCode = 1;
  }
}

function explain(error) {
  if (error instanceof StartError) {
    return error.message;
  }
  if (error.code === 'ENOSPC') {
    return `The disk is full (${error.path}): make room, then run the command again.`;
  }
  return ['EACCES', 'EPERM', 'EROFS'].includes(error.code)
    ? `${error.path} cannot be written (${error.code}): make your user the owner of the clone, then run the command again.`
    : undefined;
}
