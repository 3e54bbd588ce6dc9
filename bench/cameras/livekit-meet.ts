import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { freePort } from '../../test/free-port.ts';
import { findMediaServerBinary } from '../../test/media-server-binary.ts';
import type { BotRoom } from './bots.ts';

/** How to have the peer; the benchmarks take its folder, and nothing of it is part of this project. */
export const MEET_HELP = `LiveKit Meet is measured when --meet names the folder of a built one:
  git clone https://github.com/livekit-examples/meet   # measured: 6da2b8e
  remove "packageManager" from package.json; fetch the pictures of public/background-images (git lfs pull), or
  put any JPEG in their place; then: npx pnpm@10 install --frozen-lockfile && npx next build`;

const READY_DEADLINE_MS = 60_000;
const KEYS = { LIVEKIT_API_KEY: 'devkey', LIVEKIT_API_SECRET: 'benchmark-secret-of-32-characters' };

/** LiveKit Meet on a LiveKit of its own, with the configuration that LiveKit has by itself. */
export interface Meet {
  /** The page of its one room, with the camera check before it. */
  readonly roomUrl: string;
  readonly mediaPid: number;
  seatBots(count: number): Promise<BotRoom>;
  /** To the camera check, camera on and microphone off; returns when the join button can be pressed. */
  prepareJoin(page: Page): Promise<void>;
  stop(): Promise<void>;
}

/** @param folder of a built LiveKit Meet. */
export async function startMeet(folder: string): Promise<Meet> {
  const next = path.resolve(folder, 'node_modules/next/dist/bin/next');
  if (!existsSync(next)) throw new Error(`${folder} is no built LiveKit Meet.\n${MEET_HELP}`);
  const [port, mediaPort] = [await freePort(), await freePort()];
  const udpPort = await freePort();
  const configuration = {
    port: mediaPort,
    bind_addresses: ['127.0.0.1'],
    keys: { [KEYS.LIVEKIT_API_KEY]: KEYS.LIVEKIT_API_SECRET },
    rtc: {
      node_ip: '127.0.0.1',
      udp_port: udpPort,
      tcp_port: await freePort(),
      // Leads nowhere: nobody talks to a public server because of a benchmark.
      stun_servers: [`127.0.0.1:${udpPort}`],
    },
    logging: { level: 'error' },
  };
  const children: ChildProcess[] = [];
  const start = (
    command: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    cwd?: string,
  ) => {
    const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    children.push(child);
    return child;
  };
  const stop = async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, 'exit');
      // LiveKit would wait for its participants.
      child.kill('SIGKILL');
      await gone;
    }
  };
  const media = start(
    findMediaServerBinary(),
    ['--config-body', JSON.stringify(configuration)],
    process.env,
  );
  const serverUrl = `ws://127.0.0.1:${mediaPort}`;
  const env = { ...process.env, ...KEYS, LIVEKIT_URL: serverUrl, NODE_ENV: 'production' as const };
  start(process.execPath, [next, 'start', '-H', '127.0.0.1', '-p', String(port)], env, folder);
  const url = `http://localhost:${port}`;
  const roomUrl = `${url}/rooms/benchmark`;
  try {
    await Promise.all([untilAnswers(`http://127.0.0.1:${mediaPort}`), untilAnswers(roomUrl)]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    roomUrl,
    mediaPid: media.pid ?? 0,
    async seatBots(count) {
      const tokens = Array.from({ length: count }, async (_, index) => {
        const query = `roomName=benchmark&participantName=learner${index + 1}`;
        const answer = await fetch(`${url}/api/connection-details?${query}`);
        return ((await answer.json()) as { participantToken: string }).participantToken;
      });
      return { url: serverUrl, tokens: await Promise.all(tokens) };
    },
    async prepareJoin(page) {
      await page.goto(roomUrl);
      const microphone = page.locator('[data-lk-source="microphone"]').first();
      await page.locator('[data-lk-source="camera"][data-lk-enabled="true"]').first().waitFor();
      if ((await microphone.getAttribute('data-lk-enabled')) === 'true') await microphone.click();
      await page.locator('#username').fill('viewer');
      // The camera is on already, as it is in ours.
      await page.waitForFunction(() => {
        const preview = document.querySelector<HTMLVideoElement>('.lk-prejoin video');
        return preview !== null && preview.videoWidth > 0 && !preview.paused;
      });
    },
    stop,
  };
}

async function untilAnswers(url: string): Promise<void> {
  const deadlineMs = Date.now() + READY_DEADLINE_MS;
  while (!(await fetch(url).catch(() => null))?.ok) {
    if (Date.now() > deadlineMs) throw new Error(`${url} did not answer in time`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
