import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { apiEntry, apiNodeOptions } from './stack/api-entry.mjs';
import { ApiProcess } from './stack/api-process.mjs';
import { readEnvFile } from './stack/env-file.mjs';
import { apiNode } from './stack/node-version.mjs';
import { watchNpm } from './stack/parent-watch.mjs';
import { root } from './stack/places.mjs';
import { prepareStack } from './stack/prepare.mjs';
import { endRunningCommands } from './stack/run.mjs';
import { readOptions, runMain, say } from './stack/terminal.mjs';
import { buildWeb } from './stack/web-build.mjs';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** What ends while we still prepare. */
let onStop = (exitCode) => {
  endRunningCommands();
  process.exit(exitCode);
};

for (const signal of STOP_SIGNALS) {
  process.on(signal, () => onStop(128 + constants.signals[signal]));
}
watchNpm(() => onStop(1));

await runMain(async () => {
  readEnvFile();
  const { dev } = readOptions({ dev: { type: 'boolean', default: false } });
  const env = await prepareStack();
  if (!dev) {
    await buildWeb();
  }
  const watch = dev ? ['--watch', '--watch-preserve-output'] : [];
  const api = new ApiProcess({ args: [...watch, ...apiNodeOptions, apiEntry], env });
  const pages = dev ? startWebDevServer() : undefined;
  let told = false;
  onStop = () => {
    if (!told) {
      say('Stopping …');
      told = true;
    }
    api.stop();
  };
  const exitCode = await api.run();
  pages?.kill();
  return exitCode;
});

function startWebDevServer() {
  return spawn(apiNode(), ['scripts/stack/web-dev-server.mjs'], {
    cwd: root,
    env: { ...process.env, API_URL: `http://127.0.0.1:${process.env.PORT || 3000}` },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}
