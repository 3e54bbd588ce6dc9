import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { mediaToken } from '../../e2e/support/hostile-client.ts';
import { createAccount, enterByApi } from '../../e2e/support/journey.ts';
import { findGo } from '../../scripts/stack/go-toolchain.mjs';
import { run } from '../../scripts/stack/run.mjs';
import type { RunningStack } from '../../test/running-stack.ts';
import type { Clip } from './clips.ts';

const SOURCES = path.resolve(import.meta.dirname, '../bots');
const PROGRAM = path.resolve(import.meta.dirname, '../../.cache/bench-bots/bots');
/** The tile at which one of them shows whoever comes later, as in a full room at 1280×720. */
const LOOK_PX = { lookWidth: 206, lookHeight: 116 };

/** Participants with cameras, in a process of their own. */
export interface Bots {
  readonly pid: number;
  count(): Promise<BotCounters>;
  stop(): Promise<void>;
}

/** Sums of all of them since their start: UDP of media and of its control, without heads of UDP and IP. */
export interface BotCounters {
  /** Whole pictures received. */
  readonly pictures: number;
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

/** The bots that look: the first one at learners who come later, or all at all from the beginning. */
export interface Looking {
  readonly allLook?: boolean;
  /** Each shows one of the others large. */
  readonly enlarge?: boolean;
}

/** Where they are, and what they may join with. */
export interface BotRoom {
  /** Of the signalling, without "/rtc". */
  readonly url: string;
  readonly tokens: readonly string[];
}

/**
 * Resolves when all publish and, if all look, see each other.
 * @param clips the layers of each camera, the smallest first.
 * @throws when Go is missing, or one of them could not publish.
 */
export async function startBots(
  room: BotRoom,
  clips: readonly Clip[],
  looking: Looking = {},
): Promise<Bots> {
  await build();
  const child = spawn(PROGRAM, { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  const ended = gone.then(([code]) => Promise.reject(new Error(`the bots ended with ${code}`)));
  const answers = createInterface(child.stdout);
  const ask = async (line: string) => {
    child.stdin.write(`${line}\n`);
    const [answer] = await Promise.race([once(answers, 'line'), ended]);
    return String(answer);
  };
  await ask(JSON.stringify({ ...room, layers: clips, ...LOOK_PX, ...looking }));
  ended.catch((error) => isStopping(child) || console.error(error));
  return {
    pid: child.pid ?? 0,
    count: async () => JSON.parse(await ask('count')) as BotCounters,
    async stop() {
      child.stdin.end();
      await gone;
    },
  };
}

const isStopping = ({ stdin }: ChildProcess) => stdin?.writableEnded === true;

/** Go's own cache makes every build but the first one short. */
async function build(): Promise<void> {
  const go = await findGo();
  if (go === undefined) throw new Error('the bots need Go 1.26 or newer on PATH');
  await mkdir(path.dirname(PROGRAM), { recursive: true });
  const env = { ...process.env, CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOWORK: 'off' };
  const flags = { GOFLAGS: '-mod=readonly -buildvcs=false' };
  const cwd = SOURCES;
  await run(go, ['build', '-trimpath', '-o', PROGRAM, '.'], { cwd, env: { ...env, ...flags } });
}

/** Learners of the product, made by its API and seated in one room, of which they are all. */
export async function seatBots(stack: RunningStack, count: number): Promise<BotRoom> {
  const tokens: string[] = [];
  const rooms = new Set<number>();
  while (tokens.length < count) {
    const account = await createAccount();
    const roomId = await enterByApi(account);
    rooms.add(roomId);
    tokens.push(await mediaToken(account, roomId));
  }
  if (rooms.size !== 1) throw new Error(`the bots were seated in ${rooms.size} rooms`);
  return { url: `ws://localhost:${stack.port}/livekit`, tokens };
}
