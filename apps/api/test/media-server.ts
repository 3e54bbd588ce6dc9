import { afterAll, expect, vi } from 'vitest';
import { type ForeignMedia, startForeignMedia } from '../../../test/foreign-media.ts';
import { MEDIA_KEY, MEDIA_SECRET } from './test-app.ts';

/** Long enough for a busy computer to let the server handle its signal. */
const HANGS_AFTER_MS = 1_000;

/** A real media server for tests, without pictures of its own. */
export class TestMediaServer {
  readonly #server: ForeignMedia;

  private constructor(server: ForeignMedia) {
    this.#server = server;
  }

  static async start(key = MEDIA_KEY, secret = MEDIA_SECRET): Promise<TestMediaServer> {
    return new TestMediaServer(await startForeignMedia(key, secret));
  }

  get url(): string {
    return this.#server.url;
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
    this.#server.freeze();
    const ask = () => fetch(this.url, { signal: AbortSignal.timeout(HANGS_AFTER_MS) });
    await vi.waitFor(() => expect(ask()).rejects.toThrow('timeout'), { timeout: 15_000 });
  }

  stop(): Promise<void> {
    return this.#server.kill();
  }
}

/** Starts a media server for the tests of one file; it stops after the last. */
export async function openMediaServer(key?: string, secret?: string): Promise<TestMediaServer> {
  const server = await TestMediaServer.start(key, secret);
  afterAll(() => server.stop());
  return server;
}
