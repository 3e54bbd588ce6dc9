import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../../scripts/stack/terminal.mjs';
import { freePort } from '../../test/free-port.ts';

const READY_DEADLINE_MS = 60_000;
const LOOK_EVERY_MS = 50;

/** Runs as the first process of its own list of processes, in its own view of the file system, as in a container. */
const IN_A_CONTAINER = `
  set -e
  mount --bind "$FILES" "$FILES"
  mount --options remount,bind,ro "$FILES"
  mount --types proc proc "$FILES/proc"
  mount --rbind /dev "$FILES/dev"
  mount --types tmpfs --options mode=1777 tmpfs "$FILES/tmp"
  mount --bind "$DATA" "$FILES/data"
  exec chroot --userspec="$USER" "$FILES" /usr/bin/env --ignore-environment --chdir="$WORKING_DIR" "$@"`;

/**
 * Starts an image with a folder as its volume, on the network of this machine. Resolves when the product is ready.
 * @param {import('./build-image.mjs').Image} image
 * @returns `exec` runs a command in it, `another` in another container with its volume, with the exit code; `stop` is `docker stop`, with the exit code, and `kill` `docker kill`.
 */
export async function startContainer(image, { data, closers }) {
  const [uid, gid] = image.user.split(':').map(Number);
  await mkdir(data, { recursive: true });
  await chown(data, uid, gid);
  const port = await freePort();
  const env = [...image.env, `PORT=${port}`, 'RATE_LIMIT_SCALE=1000', 'LOG_LEVEL=warn'];
  const start = (...command) =>
    spawn(
      'unshare',
      [
        ...['--mount', '--pid', '--fork', 'sh', '-c', IN_A_CONTAINER, 'sh'],
        ...[...env, ...image.entrypoint, ...command],
      ],
      {
        env: {
          ...process.env,
          FILES: image.files,
          DATA: data,
          USER: image.user,
          WORKING_DIR: image.workingDir,
        },
        stdio: 'inherit',
      },
    );
  const child = start();
  const ended = once(child, 'exit').then(([code]) => code);
  const kill = async () => {
    // The end of its first process ends all others.
    for (const pid of await childrenOf(child.pid)) process.kill(pid, 'SIGKILL');
    await ended;
  };
  closers.push(kill);
  const url = `http://localhost:${port}`;
  await untilReady(url, child);
  const [pid] = await childrenOf(child.pid);
  return {
    url,
    port,
    data,
    async exec(...command) {
      const args = [
        ...['--target', pid, '--mount', '--pid', '--root', '--wd'],
        ...['--setuid', uid, '--setgid', gid, '/usr/bin/env', '--ignore-environment'],
      ];
      const program = spawn('nsenter', [...args.map(String), ...env, ...command], {
        stdio: 'inherit',
      });
      return (await once(program, 'exit'))[0];
    },
    async another(...command) {
      return (await once(start(...command), 'exit'))[0];
    },
    kill,
    async stop(deadlineMs) {
      process.kill(pid, 'SIGTERM');
      return Promise.race([
        ended,
        delay(deadlineMs, `no end after ${deadlineMs} ms`, { ref: false }),
      ]);
    },
  };
}

async function untilReady(url, child) {
  const deadline = performance.now() + READY_DEADLINE_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await delay(LOOK_EVERY_MS);
  }
  throw new StartError('The image did not get ready.');
}

async function childrenOf(pid) {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return list.split(' ').filter(Boolean).map(Number);
}
