import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, expect, vi } from 'vitest';
import { freePort } from '../../../test/free-port.ts';
import { findMediaServerBinary } from '../../../test/media-server-binary.ts';
import { MEDIA_KEY, MEDIA_SECRET } from './test-app.ts';

/** Long enough for a busy computer to let the server handle its signal. */
const HANGS_AFTER_MS = 1_000;

/** A real media server for tests, without pictures of its own. */
export class TestMediaServer {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(key = MEDIA_KEY, secret = MEDIA_SECRET): Promise<TestMediaServer> {
    const port = await freePort();
    const configuration = {
      port,
      bind_addresses: ['127.0.0.1'],
      keys: { [key]: secret },
      rtc: { udp_port: await freePort(), tcp_port: await freePort() },
      logging: { level: 'error' },
    };
    const args = ['--config-body', JSON.stringify(configuration)];
    const child = spawn(findMediaServerBinary(), args, { stdio: 'ignore' });
    const url = `http://127.0.0.1:${port}`;
    await vi.waitFor(async () => void (await fetch(url)), { timeout: 15_000 });
    return new TestMediaServer(child, url);
  }

  /** The option of an app that uses it. */
  get address(): { readonly url: string } {
    return { url: this.url };
  }

  /**
   * Makes it hang: it accepts connections and answers nothing. A process stops some time after the signal and
   * answers until then, so this waits until a request stays unanswered.
   */
  async freeze(): Promise<void> {
    this.#child.kill('SIGSTOP');
    const ask = () => fetch(this.url, { signal: AbortSignal.timeout(HANGS_AFTER_MS) });
    await vi.waitFor(() => expect(ask()).rejects.toThrow('timeout'), { timeout: 15_000 });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}

/** Starts a media server for the tests of one file; it stops after the last. */
export async function openMediaServer(key?: string, secret?: string): Promise<TestMediaServer> {
  const server = await TestMediaServer.start(key, secret);
  afterAll(() => server.stop());
  return server;
}
