import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { mediaServerConfiguration } from '../../apps/stack/src/media-server/configuration.ts';
import { freePort } from '../../test/free-port.ts';
import { findMediaServerBinary } from '../../test/media-server-binary.ts';
import type { BotRoom } from '../cameras/bots.ts';
import { newSecret, orStop, seatLearners, startApi, startDatabase } from '../support/product.ts';

const ROOM_MEMBERS = 20;
const READY_DEADLINE_MS = 60_000;

/** One LiveKit as `npm start` configures it, and one API in front of its signalling. */
export interface MediaSite {
  readonly mediaPid: number;
  readonly apiPid: number;
  /** All members of full rooms, with tokens of the API. */
  readonly bots: BotRoom;
  stop(): Promise<void>;
}

/**
 * @param rooms full ones, whose learners are seated in the database.
 * @throws when no livekit-server was provided, or it does not answer.
 */
export async function startMediaSite(runDir: string, rooms: number): Promise<MediaSite> {
  const binary = findMediaServerBinary();
  if (binary === '') throw new Error('no livekit-server: `npm start` provides one');
  const database = await startDatabase(runDir);
  const secret = newSecret();
  const keys = { apiKey: 'bench', apiSecret: newSecret() };
  const [signalling, udp, tcp] = [await freePort(), await freePort(), await freePort()];
  // No guard stands before it.
  const ports = { signalling, udp, tcp, livekitTcp: tcp };
  const learners = await orStop(
    database,
    seatLearners(database.url, { rooms, members: ROOM_MEMBERS, secret }),
  );
  const env = {
    DATABASE_URL: database.url,
    AUTH_SECRET: secret,
    RATE_LIMIT_SCALE: '1000',
    LIVEKIT_URL: `ws://127.0.0.1:${ports.signalling}`,
    LIVEKIT_API_KEY: keys.apiKey,
    LIVEKIT_API_SECRET: keys.apiSecret,
  };
  const api = await orStop(database, startApi({ runDir, name: 'api', env }));
  let media: ChildProcess | undefined;
  const stop = async () => {
    await api.stop();
    if (media) await end(media);
    await database.stop();
  };
  try {
    const origin = `http://127.0.0.1:${api.port}`;
    const configuration = path.join(runDir, 'livekit.json');
    const text = mediaServerConfiguration(keys, ports, `${origin}/livekit/webhook`);
    await writeFile(configuration, onLoopback(text));
    // It logs a line for each bot that goes; that it has ended is noticed by the bots.
    media = spawn(binary, ['--config', configuration], { stdio: 'ignore' });
    const tokens: string[] = [];
    for (const learner of learners) tokens.push(await mediaToken(origin, learner));
    const url = `ws://127.0.0.1:${api.port}/livekit`;
    return { mediaPid: media.pid ?? 0, apiPid: api.pid(), bots: { url, tokens }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The same configuration, with media on the loopback interface alone. */
function onLoopback(text: string): string {
  const configuration = JSON.parse(text);
  configuration.rtc.interfaces = { includes: ['lo'] };
  return JSON.stringify(configuration);
}

/** LiveKit would wait for its participants otherwise. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

interface Seated {
  readonly userId: number;
  readonly roomId: number;
  readonly token: string;
}

/** Asks again until the API has found its LiveKit. */
async function mediaToken(origin: string, { userId, roomId, token }: Seated): Promise<string> {
  const deadlineMs = performance.now() + READY_DEADLINE_MS;
  for (;;) {
    const answer = await fetch(`${origin}/api/livekit/token`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ roomName: String(roomId), identity: String(userId) }),
    });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text).token;
    if (performance.now() > deadlineMs) throw new Error(`no media token: ${text}`);
    await delay(500);
  }
}
