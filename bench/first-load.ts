import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium, type Locator, type Page } from '@playwright/test';
import { measuredChromium } from '../e2e/playwright.config.ts';
import { createAccount, enterFromMain, logInByForm, playOn } from '../e2e/support/journey.ts';
import { freePort } from '../test/free-port.ts';
import { startStack } from '../test/running-stack.ts';
import { machineLine } from './support/processes.ts';
import { percentile, tableRow } from './support/statistics.ts';

/**
 * The first visit of a phone with a slow network: from the address to a page that can be read or used, with nothing
 * of ours stored. The network is that of "slow 3G" (400 kbit/s, answers 400 ms later), by Chromium's own throttling;
 * the site is behind Caddy, as in deploy/: with HTTP/2 sixty files wait 400 ms once, and not ten times.
 *
 *     npm run bench:first-load -- [--visits 5] [--slower 1]     # and a processor that many times slower
 */
const { values: options } = parseArgs({
  options: {
    visits: { type: 'string', default: '5' },
    slower: { type: 'string', default: '1' },
  },
});
const VISITS = Number(options.visits);
const START_DEADLINE_MS = 10_000;
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const PHONE = { locale: 'ko-KR', viewport: { width: 412, height: 823 }, isMobile: true };

interface Visit {
  readonly name: string;
  readonly goalMs: number;
  readonly address: string;
  /** Visible and enabled when the page is ready. */
  readonly ready: (page: Page) => Locator;
}

/** Milliseconds from the address until the page is ready, without anything stored of it before. */
async function timeVisit(page: Page, { address, ready }: Visit): Promise<number> {
  await page.goto('about:blank');
  const inspector = await page.context().newCDPSession(page);
  const origin = new URL(address).origin;
  await inspector.send('Network.clearBrowserCache');
  // Local storage stays: it has the log-in and the seat.
  const storageTypes = 'service_workers,cache_storage';
  await inspector.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await inspector.send('Network.emulateNetworkConditions', SLOW);
  await inspector.send('Emulation.setCPUThrottlingRate', { rate: Number(options.slower) });
  const startMs = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await ready(page).click({ trial: true });
  const readyMs = performance.now() - startMs;
  await inspector.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await inspector.detach();
  return readyMs;
}

async function measure(context: BrowserContext, visit: Visit): Promise<void> {
  const page = context.pages()[0] ?? (await context.newPage());
  const times: number[] = [];
  while (times.length < VISITS) times.push(await timeVisit(page, visit));
  const [median, most] = [percentile(times, 0.5), Math.max(...times)];
  if (median > visit.goalMs) process.exitCode = 1;
  console.log(tableRow(visit.name, ...[visit.goalMs, median, most].map(Math.round)));
}

interface Proxy {
  readonly url: string;
  readonly child: ChildProcess;
  /** Of its own certificate, as Chromium's switch takes it: files of a site with a doubtful one are not cached. */
  readonly keyHash: string;
}

/** HTTPS before the product, with a certificate made for it. */
async function startProxy(port: number, toPort: number, home: string): Promise<Proxy> {
  const args = ['--from', `https://localhost:${port}`, '--to', `localhost:${toPort}`];
  const child = spawn('caddy', ['reverse-proxy', ...args, '--internal-certs'], {
    stdio: 'ignore',
    env: { ...process.env, HOME: home },
  });
  const deadlineMs = performance.now() + START_DEADLINE_MS;
  for (;;) {
    const socket = connect({ port, servername: 'localhost', rejectUnauthorized: false });
    const keyHash = await once(socket, 'secureConnect').then(
      () => hashOfKey(socket),
      () => null,
    );
    socket.destroy();
    if (keyHash !== null) return { url: `https://localhost:${port}`, child, keyHash };
    if (performance.now() > deadlineMs) throw new Error('Caddy did not start');
    await delay(100);
  }
}

function hashOfKey(socket: TLSSocket): string {
  const { publicKey } = new X509Certificate(socket.getPeerCertificate().raw);
  const key = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

const port = await freePort();
const stack = await startStack('bench-first-load', {
  PUBLIC_URL: `https://localhost:${port}`,
  TRUST_PROXY: 'true',
});
const { url, child, keyHash } = await startProxy(port, stack.port, stack.dataDir);
const trust = `--ignore-certificate-errors-spki-list=${keyHash}`;
const browser = await chromium.launch({
  ...measuredChromium,
  args: [...measuredChromium.args, trust],
});
try {
  playOn(stack);
  console.log(`${machineLine()}; ${VISITS} visits each\n`);
  console.log(tableRow('page', 'goal ms', 'median ms', 'longest ms'));
  console.log(tableRow('---', '---:', '---:', '---:'));
  const stranger = await browser.newContext(PHONE);
  await measure(stranger, {
    name: '`/` can be read',
    goalMs: 2_000,
    address: `${url}/`,
    ready: (page) => page.getByRole('heading', { level: 1 }),
  });
  await stranger.close();
  const learner = await browser.newContext(PHONE);
  const page = await learner.newPage();
  await page.goto(`${url}/email-login`);
  await logInByForm(page, await createAccount());
  await page.waitForURL('**/main');
  await measure(learner, {
    name: '`/main` can be used',
    goalMs: 5_000,
    address: `${url}/main`,
    ready: (shown) => shown.getByRole('button', { name: '스터디룸 입장하기' }),
  });
  await page.goto(`${url}/main`);
  await enterFromMain(page);
  await measure(learner, {
    name: 'the room can be used',
    goalMs: 8_000,
    address: page.url(),
    ready: (shown) => shown.getByRole('button', { name: '나가기' }),
  });
} finally {
  await browser.close();
  child.kill();
  await stack.stop();
}
