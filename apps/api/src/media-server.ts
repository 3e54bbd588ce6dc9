import type { MediaServerAddress } from './features/media/index.ts';
import type { Env } from './platform/env/index.ts';

const ASK_EVERY_MS = 2_000;
const ASK_TIMEOUT_MS = 2_000;

/**
 * The media server of the environment. Checks repeatedly whether it answers, until `stop`. Without one, rooms
 * work without pictures.
 */
export async function watchMediaServer(env: Env): Promise<MediaServerAddress & { stop(): void }> {
  const url = env.LIVEKIT_URL?.replace(/^ws/u, 'http');
  let isUp = false;
  const ask = async () => {
    isUp = url !== undefined && (await answers(url));
  };
  await ask();
  const timer = setInterval(() => void ask(), ASK_EVERY_MS);
  timer.unref();
  return {
    url: url ?? 'http://127.0.0.1:7880',
    apiKey: env.LIVEKIT_API_KEY ?? 'none',
    apiSecret: env.LIVEKIT_API_SECRET ?? 'none',
    isAvailable: () => isUp,
    stop: () => clearInterval(timer),
  };
}

const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) }).then(
    async ({ ok, body }) => {
      await body?.cancel();
      return ok;
    },
    () => false,
  );
