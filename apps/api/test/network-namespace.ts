import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly ssl: false;
}

/** Whether this user can create network namespaces here (Linux, usually as root). */
export const hasNetworkNamespaces =
  spawnSync('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0;

/** PostgreSQL at an address that can become unreachable. */
export interface VanishingPostgres {
  readonly connection: Connection;
  /** From now on the address answers no packet, without any error to the client. */
  vanish(): Promise<void>;
  return(): Promise<void>;
  close(): Promise<void>;
}

const run = promisify(execFile);

/** Addresses for measurements (RFC 2544), a network of four for each process. */
function ownAddresses() {
  const network = (process.pid % 2 ** 15) * 4;
  const address = (number: number) =>
    `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
  return { ours: address(network + 1), theirs: address(network + 2) };
}

/** Runs a proxy to PostgreSQL in a network namespace, at the other end of a pair of interfaces. */
export async function openVanishingPostgres(target: Connection): Promise<VanishingPostgres> {
  const { ours, theirs } = ownAddresses();
  const link = `pg${process.pid}`;
  const script = `${import.meta.dirname}/postgres-proxy-process.ts`;
  // The namespace and both interfaces disappear with this process.
  const proxy = spawn('unshare', ['--net', process.execPath, script, JSON.stringify(target)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const inside = (...command: readonly string[]) =>
    run('nsenter', ['--net', `--target=${proxy.pid}`, 'ip', ...command]);
  const outside = (...command: readonly string[]) => run('ip', command);
  const [port] = await once(proxy.stdout, 'data');
  const peer = ['peer', 'name', link, 'netns', String(proxy.pid)];
  await outside('link', 'add', link, 'type', 'veth', ...peer);
  await outside('address', 'add', `${ours}/30`, 'dev', link);
  await outside('link', 'set', link, 'up');
  await inside('address', 'add', `${theirs}/30`, 'dev', link);
  await inside('link', 'set', link, 'up');
  return {
    connection: { ...target, host: theirs, port: Number(port) },
    async vanish() {
      await inside('route', 'add', 'blackhole', `${ours}/32`);
    },
    async return() {
      await inside('route', 'del', 'blackhole', `${ours}/32`);
    },
    async close() {
      const exited = once(proxy, 'exit');
      proxy.kill('SIGKILL');
      await exited;
    },
  };
}
