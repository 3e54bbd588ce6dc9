import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { makeDataDir, removeDataDir } from '../../test/data-dir.ts';
import { freePort } from '../../test/free-port.ts';
import { startStack } from '../../test/running-stack.ts';
import { type KeepingWindow, keepConnections } from '../support/connections.ts';
import {
  enterFromMain,
  expect,
  expectMovingPicture,
  test as journey,
  playOn,
} from '../support/journey.ts';

/**
 * A picture through a real TURN server: Debian's coturn on loopback, a browser that may use nothing
 * else, and a neighbour who has every way.
 *
 *     npm run bench:relayed-picture
 */
const SECRET = 'shared-with-the-turn-server';

async function startTurnServer() {
  const [port, dataDir] = [await freePort(), await makeDataDir()];
  const server = spawn(
    'turnserver',
    [
      ...['-n', '--no-cli', '--no-tls', '--no-dtls', '--allow-loopback-peers', '--fingerprint'],
      ...['--listening-ip=127.0.0.1', '--relay-ip=127.0.0.1', `--listening-port=${port}`],
      ...['--use-auth-secret', `--static-auth-secret=${SECRET}`, '--realm=mogakgong'],
      // The limits that decision 080 recommends.
      ...['--denied-peer-ip=0.0.0.0-255.255.255.255', '--allowed-peer-ip=127.0.0.1'],
      '--denied-peer-ip=::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      ...['--user-quota=12', '--total-quota=1200', '--max-bps=400000'],
      ...[`--userdb=${path.join(dataDir, 'users')}`, `--pidfile=${path.join(dataDir, 'pid')}`],
      '--log-file=stdout',
    ],
    { stdio: 'ignore' },
  );
  return {
    url: `turn:127.0.0.1:${port}?transport=udp`,
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
      await removeDataDir(dataDir);
    },
  };
}

/** Those of the fixture that it replaces: Playwright wants them repeated, but its types refuse `auto` in a literal. */
const FIXTURE_OPTIONS = { scope: 'worker', auto: true } as const;

const test = journey.extend({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from the pattern.
    async ({}, use) => {
      const turn = await startTurnServer();
      const stack = await startStack('relayed', { TURN_URL: turn.url, TURN_SECRET: SECRET });
      playOn(stack);
      await use(stack);
      await stack.stop();
      await turn.stop();
    },
    FIXTURE_OPTIONS,
  ],
});

test.skip(spawnSync('turnserver', ['--version']).error !== undefined, 'there is no coturn');

/** Runs in the page before its scripts: connections may go through a TURN server alone. */
function relayOnly() {
  const relayed = (configuration?: RTCConfiguration): RTCConfiguration => ({
    ...configuration,
    iceTransportPolicy: 'relay',
  });
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(relayed(configuration));
    }
    override setConfiguration(configuration?: RTCConfiguration) {
      super.setConfiguration(relayed(configuration));
    }
  };
}

/** Runs in the page: how the connections that carry something reach the media server. */
async function waysInUse(): Promise<string[]> {
  const { connections } = globalThis as unknown as KeepingWindow;
  const open = connections.filter(({ connectionState }) => connectionState === 'connected');
  const ways: string[] = [];
  for (const report of await Promise.all(open.map((connection) => connection.getStats()))) {
    const pairs = [...report.values()].filter(
      ({ type, nominated }) => type === 'candidate-pair' && nominated,
    );
    ways.push(...pairs.map((pair) => report.get(pair.localCandidateId).candidateType));
  }
  return ways;
}

test('a learner who reaches nothing but the TURN server sees and is seen, and the check says so', async ({
  newLearner,
}) => {
  const neighbour = await newLearner();
  const relayed = await newLearner();
  await relayed.page.addInitScript(keepConnections);
  await relayed.page.addInitScript(relayOnly);
  await relayed.page.reload();
  await enterFromMain(neighbour.page);
  const pressedAtMs = performance.now();
  await enterFromMain(relayed.page);
  await expectMovingPicture(relayed.page, neighbour.account);
  console.log(`relayed picture after ${Math.round(performance.now() - pressedAtMs)} ms`);
  await expectMovingPicture(neighbour.page, relayed.account);
  const ways = await relayed.page.evaluate(waysInUse);
  expect(ways.length).toBeGreaterThan(0);
  expect(new Set(ways)).toEqual(new Set(['relay']));

  await relayed.page.goto('/diagnostics');
  await relayed.page.getByRole('button', { name: '점검 시작' }).click();
  for (const [check, state] of Object.entries({ turn: 'ok', udp: 'warning', tcp: 'warning' })) {
    await expect(relayed.page.locator(`[data-check=${check}]`)).toHaveAttribute(
      'data-state',
      state,
      { timeout: 60_000 },
    );
  }
});
