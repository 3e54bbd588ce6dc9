import { readdir, readFile, readlink } from 'node:fs/promises';
import { run } from '../stack/run.mjs';

const HEXADECIMAL = 16;
const LISTENING_STATES = new Set(['0A', '07']);

/** The program that listens on a port, as people would name it, e.g. "nginx (process 812)". */
export async function portOwner(protocol, port) {
  const owner =
    process.platform === 'linux' ? await onLinux(protocol, port) : await byListing(protocol, port);
  return owner ?? 'another program';
}

async function onLinux(protocol, port) {
  const inodes = new Set();
  for (const table of [protocol, `${protocol}6`]) {
    const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => '');
    for (const line of text.split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      const [, local = '', , state] = fields;
      if (
        Number.parseInt(local.split(':')[1], HEXADECIMAL) === port &&
        LISTENING_STATES.has(state)
      ) {
        inodes.add(`socket:[${fields[9]}]`);
      }
    }
  }
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    if (await holdsOneOf(pid, inodes)) {
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
      return `${name.trim()} (process ${pid})`;
    }
  }
  return undefined;
}

async function holdsOneOf(pid, inodes) {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  for (const descriptor of descriptors) {
    const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '');
    if (inodes.has(target)) {
      return true;
    }
  }
  return false;
}

async function byListing(protocol, port) {
  const filter = protocol === 'tcp' ? [`-iTCP:${port}`, '-sTCP:LISTEN'] : [`-iUDP:${port}`];
  const lines = await run('lsof', ['-nP', '-Fcp', ...filter]).catch(() => []);
  const pid = lines.find((line) => line.startsWith('p'))?.slice(1);
  const name = lines.find((line) => line.startsWith('c'))?.slice(1);
  return pid === undefined ? undefined : `${name} (process ${pid})`;
}
