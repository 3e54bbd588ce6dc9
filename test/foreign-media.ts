import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { findMediaServerBinary } from './media-server-binary.ts';

const ANSWERS_WITHIN_MS = 15_000;
const ASK_EVERY_MS = 50;

/** A running LiveKit of which the product knows only address, key and secret. */
export interface ForeignMedia {
  readonly url: string;
  /** Stops it from answering, with its connections open. */
  freeze(): void;
  /** Ends it with -9. */
  kill(): Promise<void>;
}

/** Starts a LiveKit with a plain configuration of its own, which tells `siteUrl`, if given, what happens. */
export async function startForeignMedia(
  key: string,
  secret: string,
  siteUrl?: string,
): Promise<ForeignMedia> {
  const port = await freePort();
  const configuration = {
    port,
    bind_addresses: ['127.0.0.1'],
    keys: { [key]: secret },
    rtc: { udp_port: await freePort(), tcp_port: await freePort(), node_ip: '127.0.0.1' },
    ...(siteUrl && { webhook: { api_key: key, urls: [`${siteUrl}/livekit/webhook`] } }),
    logging: { level: 'error' },
  };
  const args = ['--config-body', JSON.stringify(configuration)];
  const child = spawn(findMediaServerBinary(), args, { stdio: 'ignore' });
  // A run that ends by an error leaves no server behind.
  const endWithUs = () => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const url = `http://127.0.0.1:${port}`;
  const endMs = performance.now() + ANSWERS_WITHIN_MS;
  while (!(await answers(url))) {
    if (performance.now() > endMs) throw new Error('the LiveKit does not answer');
    await delay(ASK_EVERY_MS);
  }
  return {
    url,
    freeze: () => void child.kill('SIGSTOP'),
    async kill() {
      process.off('exit', endWithUs);
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

const answers = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
