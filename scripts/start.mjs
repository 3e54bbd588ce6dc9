import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { readEnvFile } from './stack/env-file.mjs';
import { apiNode } from './stack/node-version.mjs';
import { watchNpm } from './stack/parent-watch.mjs';
import { root } from './stack/places.mjs';
import { prepareStack } from './stack/prepare.mjs';
import { endRunningCommands } from './stack/run.mjs';
import { complain, readOptions, runMain, say } from './stack/terminal.mjs';
import { buildWeb } from './stack/web-build.mjs';

const KILLS_A_MINUTE = 5;
const MINUTE_MS = 60_000;
const RESTART_DELAY_MS = 250;
/** Requests under way, then media, then the database end in this time; more than any of their own deadlines. */
const STOP_DEADLINE_MS = 60_000;

/** Handles a signal during the preparation. */
let onStop = (signal) => {
  endRunningCommands();
  process.exit(128 + constants.signals[signal]);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => onStop(signal));
}
watchNpm(() => onStop('SIGTERM'));

await runMain(async () => {
  readEnvFile();
  const { dev } = readOptions({ dev: { type: 'boolean', default: false } });
  const env = await prepareStack();
  if (!dev) {
    await buildWeb();
  }
  const pages = dev ? startWebDevServer() : undefined;
  const exitCode = await runStack(dev, env);
  pages?.kill();
  return exitCode;
});

/**
 * Runs apps/stack until it ends for good; resolves with the exit code. When it is killed it is run
 * again, and takes over what it left running.
 */
async function runStack(dev, env) {
  const kills = [];
  let isStopping = false;
  while (!isStopping) {
    const stack = startStack(dev, env);
    onStop = (signal) => {
      // The terminal sends SIGHUP when it is closed; anybody else asks for a restart of the API.
      if (signal === 'SIGHUP' && !process.stdin.isTTY) {
        stack.kill('SIGHUP');
        return;
      }
      if (!isStopping) {
        say('Stopping …');
        setTimeout(() => stack.kill('SIGKILL'), STOP_DEADLINE_MS).unref();
      }
      isStopping = true;
      stack.kill('SIGTERM');
    };
    const [code, signal] = await once(stack, 'exit');
    if (signal === null || isStopping) {
      return code ?? 1;
    }
    const now = performance.now();
    kills.push(now);
    if (kills.filter((at) => now - at < MINUTE_MS).length > KILLS_A_MINUTE) {
      complain(`The product was ended by ${signal} again and again: giving up.`);
      return 1;
    }
    complain(`The product was ended by ${signal}; starting it again.`);
    await delay(RESTART_DELAY_MS);
  }
  return 0;
}

/** Its own process group: Ctrl-C reaches only this process. The stack notices its end by the IPC channel. */
function startStack(dev, env) {
  return spawn(apiNode(), ['apps/stack/src/main.ts', ...(dev ? ['--dev'] : [])], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

function startWebDevServer() {
  return spawn(apiNode(), ['scripts/stack/web-dev-server.mjs'], {
    cwd: root,
    env: { ...process.env, API_URL: `http://127.0.0.1:${process.env.PORT || 3000}` },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}
