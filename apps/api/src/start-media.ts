import { type MediaServerAddress, SIGNALLING_PATH } from './features/media/index.ts';
import type { Env } from './platform/env/index.ts';
import type { Logger } from './platform/logger/index.ts';
import { startMediaServer } from './platform/media-server/index.ts';

interface StartMediaOptions {
  readonly env: Env;
  readonly dataDir: string;
  readonly logger: Logger;
}

interface StartedMedia {
  readonly address: MediaServerAddress;
  readonly stop: () => Promise<void>;
}

const nothingToStop = async () => undefined;

/** The operator's own LiveKit, else the one we run, else none: then rooms work without pictures. */
export async function startMedia({
  env,
  dataDir,
  logger,
}: StartMediaOptions): Promise<StartedMedia> {
  if (env.LIVEKIT_URL) return external(env.LIVEKIT_URL, env);
  if (!env.MEDIA_SERVER_BINARY) return missing();
  const server = await startMediaServer({ binaryPath: env.MEDIA_SERVER_BINARY, dataDir, logger });
  const isAvailable = () => server.state().status === 'running';
  return {
    stop: () => server.stop(),
    address: {
      internalUrl: () => server.url,
      publicUrl: SIGNALLING_PATH,
      apiKey: server.apiKey,
      apiSecret: server.apiSecret,
      isAvailable,
      health: () => ({
        state: isAvailable() ? 'up' : 'degraded',
        ...server.state(),
        udpPort: server.udpPort,
        tcpPort: server.tcpPort,
      }),
    },
  };
}

function external(url: string, env: Env): StartedMedia {
  return {
    stop: nothingToStop,
    address: {
      internalUrl: () => url.replace(/^ws/u, 'http'),
      publicUrl: url.replace(/^http/u, 'ws'),
      apiKey: env.LIVEKIT_API_KEY ?? '',
      apiSecret: env.LIVEKIT_API_SECRET ?? '',
      isAvailable: () => true,
      health: () => ({ state: 'up', status: 'external' }),
    },
  };
}

function missing(): StartedMedia {
  return {
    stop: nothingToStop,
    address: {
      internalUrl: () => 'http://127.0.0.1:7880',
      publicUrl: SIGNALLING_PATH,
      apiKey: 'none',
      apiSecret: 'none',
      isAvailable: () => false,
      health: () => ({ state: 'degraded', status: 'missing' }),
    },
  };
}
