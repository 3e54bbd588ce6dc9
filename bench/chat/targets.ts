import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../test/free-port.ts';
import { processTree, residentBytes } from '../support/processes.ts';
import {
  newSecret,
  orStop,
  type RunDatabase,
  seatLearners,
  startApi,
  startDatabase,
} from '../support/product.ts';
import type { Member, ProtocolName } from './protocols.ts';

const PEERS = path.resolve(import.meta.dirname, '../peers');

/** A running server that is measured. */
export interface Target {
  readonly protocol: ProtocolName;
  readonly port: number;
  readonly members: readonly Member[];
  /** The process whose memory is measured. */
  readonly pid: number;
  /** The processes whose processor time counts. */
  serverPids(): number[];
  /** Those of its database. */
  databasePids(): number[];
  stop(): Promise<void>;
}

export interface TargetSpec {
  readonly name: string;
  /** Longer for servers that compile themselves while they run. */
  readonly warmUpSeconds: number;
  /** Why it cannot run here, or null. */
  missing(): string | null;
  start(runDir: string, size: RoomSize): Promise<Target>;
}

export interface RoomSize {
  readonly rooms: number;
  readonly members: number;
}

const has = (program: string) =>
  spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;

function anybody({ rooms, members }: RoomSize): Member[] {
  return Array.from({ length: rooms * members }, (_, index) => ({
    userId: index + 1,
    roomId: Math.floor(index / members) + 1,
    token: '',
  }));
}

async function stopChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
}

async function untilItAnswers(port: number, child: ChildProcess): Promise<void> {
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    await delay(200);
  }
}

/**
 * Our API on an own database with learners in full rooms.
 * @param env further variables of its environment.
 */
export async function startOurs(
  runDir: string,
  size: RoomSize,
  env: Readonly<Record<string, string>> = {},
): Promise<Target> {
  const database: RunDatabase = await startDatabase(runDir);
  const secret = newSecret();
  const members = await seatLearners(database.url, { ...size, secret });
  const profile = process.env.BENCH_CPU_PROFILE;
  const starting = startApi({
    runDir,
    name: 'api',
    env: { DATABASE_URL: database.url, AUTH_SECRET: secret, RATE_LIMIT_SCALE: '1000', ...env },
    ...(profile && { execArgv: ['--cpu-prof', `--cpu-prof-dir=${path.resolve(profile)}`] }),
  });
  const api = await orStop(database, starting);
  return {
    protocol: 'mogakgong',
    port: api.port,
    members,
    pid: api.pid(),
    serverPids: () => [api.pid()],
    databasePids: () => processTree(database.postmasterPid),
    async stop() {
      await api.stop();
      await database.stop();
    },
  };
}

function nodePeer(
  name: string,
  protocol: ProtocolName,
  file: string,
  args: readonly string[] = [],
): TargetSpec {
  return {
    name,
    warmUpSeconds: 3,
    missing: () => (hasPeerPackages() ? null : 'npm could not install bench/peers'),
    async start(_runDir, size) {
      const child = fork(path.join(PEERS, file), args, { execArgv: [] });
      const [{ port }] = (await once(child, 'message')) as [{ port: number }];
      return {
        protocol,
        port,
        members: anybody(size),
        pid: child.pid ?? 0,
        serverPids: () => [child.pid ?? 0],
        databasePids: () => [],
        stop: () => stopChild(child),
      };
    },
  };
}

/** The peers' packages have their own lock and folder: users never download them. */
function hasPeerPackages(): boolean {
  if (existsSync(path.join(PEERS, 'node_modules/socket.io'))) return true;
  const options = { cwd: PEERS, stdio: 'inherit' } as const;
  return spawnSync('npm', ['ci', '--no-audit', '--no-fund'], options).status === 0;
}

const SPRING_JAR = path.join(PEERS, 'spring/target/simple-broker-1.jar');

function hasSpringJar(): boolean {
  if (existsSync(SPRING_JAR)) return true;
  const options = { cwd: path.join(PEERS, 'spring'), stdio: 'inherit' } as const;
  return spawnSync('mvn', ['-q', '-B', '-DskipTests', 'package'], options).status === 0;
}

async function startSpring(_runDir: string, size: RoomSize): Promise<Target> {
  const port = await freePort();
  const settings = [
    `--server.port=${port}`,
    '--server.address=127.0.0.1',
    '--logging.level.root=warn',
  ];
  const child = spawn('java', ['-jar', SPRING_JAR, ...settings], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilItAnswers(port, child);
  return {
    protocol: 'spring',
    port,
    members: anybody(size),
    pid: child.pid ?? 0,
    serverPids: () => processTree(child.pid ?? 0),
    databasePids: () => [],
    stop: () => stopChild(child),
  };
}

/** Erlang's name registry (epmd): it outlives the nodes that start it. */
const ERLANG_NAMES = 'epmd';

async function startRabbit(runDir: string, size: RoomSize): Promise<Target> {
  const [port, amqpPort, distPort] = [await freePort(), await freePort(), await freePort()];
  const epmdPort = String(await freePort());
  const home = path.join(runDir, 'rabbitmq');
  await mkdir(home, { mode: 0o700 });
  const file = (name: string) => path.join(home, name);
  await writeFile(file('enabled_plugins'), '[rabbitmq_web_stomp].');
  await writeFile(
    file('rabbitmq.conf'),
    `listeners.tcp.1 = 127.0.0.1:${amqpPort}\nstomp.listeners.tcp = none\n` +
      `web_stomp.tcp.port = ${port}\nweb_stomp.tcp.ip = 127.0.0.1\nlog.console = false\n`,
  );
  await writeFile(file('.erlang.cookie'), newSecret());
  await chmod(file('.erlang.cookie'), 0o400);
  // The program itself: the wrapper of the distribution would go to its own user and folders.
  const program = '/usr/lib/rabbitmq/bin/rabbitmq-server';
  const child = spawn(existsSync(program) ? program : 'rabbitmq-server', [], {
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      RABBITMQ_NODENAME: `bench${port}@localhost`,
      RABBITMQ_NODE_PORT: String(amqpPort),
      RABBITMQ_DIST_PORT: String(distPort),
      RABBITMQ_BASE: home,
      RABBITMQ_MNESIA_BASE: file('mnesia'),
      RABBITMQ_LOG_BASE: file('log'),
      RABBITMQ_CONFIG_FILE: file('rabbitmq.conf'),
      RABBITMQ_ENABLED_PLUGINS_FILE: file('enabled_plugins'),
      RABBITMQ_PID_FILE: file('pid'),
      ERL_EPMD_ADDRESS: '127.0.0.1',
      ERL_EPMD_PORT: epmdPort,
    },
  });
  await untilItAnswers(port, child);
  const tree = processTree(child.pid ?? 0);
  return {
    protocol: 'rabbitmq',
    port,
    members: anybody(size),
    pid: largest(tree),
    serverPids: () => tree,
    databasePids: () => [],
    async stop() {
      const gone = once(child, 'exit');
      for (const pid of processTree(child.pid ?? 0).toReversed()) killQuietly(pid);
      await gone;
      spawnSync(ERLANG_NAMES, ['-port', epmdPort, '-kill'], { stdio: 'ignore' });
    },
  };
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
}

/** Of a tree of wrappers the one that does the work. */
function largest(pids: readonly number[]): number {
  return pids.reduce((best, pid) => (residentBytes(pid) > residentBytes(best) ? pid : best));
}

export const wsLoopWithHeartBeats = nodePeer(
  'bare `ws` loop, with heart-beats',
  'ws',
  'ws-loop.mjs',
  ['--heart-beats'],
);

export const targets: readonly TargetSpec[] = [
  {
    name: 'mogakgong (stored, authorised, limited)',
    warmUpSeconds: 5,
    missing: () => null,
    start: startOurs,
  },
  nodePeer('bare `ws` loop', 'ws', 'ws-loop.mjs'),
  nodePeer('Socket.IO 4', 'socket.io', 'socket-io.mjs'),
  {
    name: 'Spring simple broker',
    warmUpSeconds: 15,
    missing() {
      if (!has('java') || !has('mvn')) return 'no java or no mvn here';
      return hasSpringJar() ? null : 'mvn could not build bench/peers/spring';
    },
    start: startSpring,
  },
  {
    name: 'RabbitMQ Web STOMP',
    warmUpSeconds: 5,
    missing: () => (has('rabbitmq-server') ? null : 'no rabbitmq-server here'),
    start: startRabbit,
  },
];
