import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cache } from './places.mjs';

const KEPT_LINES = 200;

/** A command that failed, with the lines it printed last. */
export class CommandError extends Error {
  constructor(command, reason, lines) {
    super(`${command} ${reason}`);
    this.name = 'CommandError';
    this.lines = lines;
  }
}

/** Writes what a failed command printed into our cache; resolves with the path. Any other error is thrown on. */
export async function keepLog(name, error) {
  if (!(error instanceof CommandError)) throw error;
  const log = join(cache, name);
  await mkdir(cache, { recursive: true });
  await writeFile(log, `${error.message}\n${error.lines.join('\n')}\n`).catch(() => undefined);
  return log;
}

const running = new Set();

/** Ends every command that still runs: for a start that is interrupted. */
export function endRunningCommands() {
  for (const child of running) {
    child.kill('SIGTERM');
  }
}

/**
 * Runs a command quietly and resolves with its output's lines.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, onStart?: (pid: number) => void, onLine?: (line: string) => void}} [options]
 * @returns {Promise<string[]>}
 * @throws {CommandError}
 */
export function run(command, args, options = {}) {
  const { cwd, env = process.env, timeoutMs, onStart, onLine } = options;
  return new Promise((resolve, reject) => {
    const lines = [];
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    if (child.pid !== undefined) {
      onStart?.(child.pid);
    }
    const timer = timeoutMs && setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const settle = () => {
      running.delete(child);
      clearTimeout(timer);
    };
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        if (lines.length > KEPT_LINES) {
          lines.shift();
        }
        onLine?.(line);
      });
    }
    child.once('error', (error) => {
      settle();
      reject(new CommandError(command, `cannot be run: ${error.message}`, lines));
    });
    child.once('close', (code, signal) => {
      settle();
      if (code === 0) {
        resolve(lines);
      } else {
        const reason = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
        reject(new CommandError(command, reason, lines));
      }
    });
  });
}
