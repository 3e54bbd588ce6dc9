import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test';
import { measuredChromium } from '../../e2e/playwright.config.ts';
import { type KeepingWindow, keepConnections } from '../../e2e/support/connections.ts';
import { cpuSeconds, processTree } from '../support/processes.ts';

const VIEWPORT = { width: 1280, height: 720 };

/** A browser with one page, and what both cost. */
export interface Viewer {
  readonly browser: Browser;
  readonly page: Page;
  /** All processes of the browser. */
  pids(): number[];
  close(): Promise<void>;
  /** What is received, sent and decoded in a time, and the processor time of the browser and of servers. */
  measure<Server extends string>(
    seconds: number,
    servers: Readonly<Record<Server, readonly number[]>>,
  ): Promise<Cost<Server>>;
  /** Bytes of JavaScript objects in the page, after the garbage was collected. */
  heapBytes(): Promise<number>;
  /**
   * Says to the page that its tab is hidden, while `work` goes on: the tabs of a headless browser never are.
   * What the browser itself spares in a hidden tab is not in the figures.
   */
  hideDuring<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** In a second of the measured time. */
export interface Cost<Server extends string> {
  readonly downBits: number;
  readonly upBits: number;
  /** Of the others' pictures. */
  readonly framesDecoded: number;
  /** Processor seconds of all processes of the browser. */
  readonly browserCores: number;
  /** Of them, those of the page's main thread. */
  readonly pageThreadCores: number;
  readonly serverCores: Readonly<Record<Server, number>>;
}

export async function openViewer(): Promise<Viewer> {
  const server = await chromium.launchServer(measuredChromium);
  const browser = await chromium.connect(server.wsEndpoint());
  const context = await browser.newContext({ locale: 'ko-KR', viewport: VIEWPORT });
  const page = await context.newPage();
  await page.addInitScript(keepConnections);
  const inspector = await context.newCDPSession(page);
  await inspector.send('Performance.enable');
  const browserPid = server.process().pid ?? 0;
  const pids = () => processTree(browserPid);
  const browserSeconds = () => cpuSeconds(pids());
  return {
    browser,
    page,
    pids,
    close: async () => {
      await browser.close();
      await server.close();
    },
    async measure(seconds, servers) {
      const names = Object.keys(servers) as (keyof typeof servers)[];
      const read = async () => ({
        ...(await page.evaluate(readConnections)),
        browser: browserSeconds(),
        pageThread: await readThreadSeconds(inspector),
        servers: names.map((name) => cpuSeconds(servers[name])),
      });
      const before = await read();
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      const after = await read();
      const passed = (after.atMs - before.atMs) / 1_000;
      const share = (index: number) =>
        ((after.servers[index] ?? 0) - (before.servers[index] ?? 0)) / passed;
      return {
        downBits: (8 * (after.bytesReceived - before.bytesReceived)) / passed,
        upBits: (8 * (after.bytesSent - before.bytesSent)) / passed,
        framesDecoded: (after.framesDecoded - before.framesDecoded) / passed,
        browserCores: (after.browser - before.browser) / passed,
        pageThreadCores: (after.pageThread - before.pageThread) / passed,
        serverCores: Object.fromEntries(names.map((name, index) => [name, share(index)])) as Cost<
          keyof typeof servers
        >['serverCores'],
      };
    },
    heapBytes: () => readHeap(inspector),
    async hideDuring(work) {
      await page.evaluate(setHidden, true);
      try {
        return await work();
      } finally {
        await page.evaluate(setHidden, false);
      }
    },
  };
}

async function readHeap(inspector: CDPSession): Promise<number> {
  // Twice: what the first one frees may be all that held something else.
  await inspector.send('HeapProfiler.collectGarbage');
  await inspector.send('HeapProfiler.collectGarbage');
  return (await inspector.send('Runtime.getHeapUsage')).usedSize;
}

async function readThreadSeconds(inspector: CDPSession): Promise<number> {
  const { metrics } = await inspector.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN;
}

/** Runs in the page. */
function setHidden(isHidden: boolean): void {
  const visibilityState = isHidden ? 'hidden' : 'visible';
  Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
  Object.defineProperty(document, 'visibilityState', {
    value: visibilityState,
    configurable: true,
  });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Goes from a room to another page, whose learner stays seated. @returns the way back. */
export async function leavePage(page: Page): Promise<() => Promise<void>> {
  const address = page.url();
  await page.evaluate(() => {
    history.pushState(null, '', '/statistics');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await page.waitForFunction(() => document.querySelector('video') === null);
  return async () => {
    await page.goBack();
    await page.waitForURL(address);
  };
}

/** Runs in the page: what its media connections have carried, in all that UDP or TCP carried for them. */
async function readConnections() {
  const sum = { atMs: performance.now(), bytesReceived: 0, bytesSent: 0, framesDecoded: 0 };
  for (const connection of (globalThis as unknown as KeepingWindow).connections) {
    for (const stat of (await connection.getStats()).values()) {
      if (stat.type === 'transport') {
        sum.bytesReceived += stat.bytesReceived;
        sum.bytesSent += stat.bytesSent;
      }
      if (stat.type === 'inbound-rtp') sum.framesDecoded += stat.framesDecoded ?? 0;
    }
  }
  return sum;
}
