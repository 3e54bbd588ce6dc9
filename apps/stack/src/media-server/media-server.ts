import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  readLivePidFile,
  type SupervisorLogger,
  type SupervisorState,
  supervise,
} from '../child-process/index.ts';
import { mediaServerConfiguration, readPorts } from './configuration.ts';
import { loadOrCreateKeys, type MediaKeys } from './keys.ts';
import { launchLiveKit } from './livekit-process.ts';
import { chooseFreePorts, DEFAULT_MEDIA_PORTS, type MediaPorts } from './ports.ts';

export interface MediaServerOptions {
  /** The livekit-server program. */
  readonly binaryPath: string;
  /** DATA_DIR; keys, configuration and the process's id are kept in its folder `media-server`. */
  readonly dataDir: string;
  /** Where it reports what happens in its rooms. */
  readonly webhookUrl: string;
  readonly logger: SupervisorLogger;
  /** Ports to prefer; the next free ones are taken when they are not free. */
  readonly ports?: Partial<MediaPorts>;
}

/** Our own media server. */
export interface MediaServer extends MediaKeys {
  /** Where its API and signalling are, e.g. `http://127.0.0.1:7880`. */
  readonly url: string;
  readonly udpPort: number;
  readonly tcpPort: number;
  state(): SupervisorState;
  /** Ends it; learners in rooms are disconnected. */
  stop(): Promise<void>;
}

/**
 * Starts LiveKit and keeps it running. Resolves at once: a media server that cannot start is tried
 * again and again, and `state()` tells. Rejects only when DATA_DIR cannot be used.
 */
export async function startMediaServer(options: MediaServerOptions): Promise<MediaServer> {
  const { binaryPath, dataDir, webhookUrl, logger } = options;
  const folder = join(dataDir, 'media-server');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pidFile = join(folder, 'process.json');
  const configurationPath = join(folder, 'livekit.yaml');
  const keys = await loadOrCreateKeys(join(folder, 'keys.json'));
  const wished = { ...DEFAULT_MEDIA_PORTS, ...options.ports };
  // The ports stay the same for as long as we run: the API and open firewalls know them.
  const ports =
    (await readLivePidFile(pidFile)) === undefined
      ? await chooseFreePorts(wished)
      : ((await readPorts(configurationPath)) ?? (await chooseFreePorts(wished)));
  const url = `http://127.0.0.1:${ports.signalling}`;
  const supervisor = supervise({
    name: 'The media server',
    logger,
    launch: (signal) =>
      launchLiveKit({
        binaryPath,
        configurationPath,
        configuration: mediaServerConfiguration(keys, ports, webhookUrl),
        url,
        pidFile,
        logPath: join(folder, 'livekit.log'),
        logger,
        signal,
      }),
  });
  return {
    ...keys,
    url,
    udpPort: ports.udp,
    tcpPort: ports.tcp,
    state: supervisor.state,
    stop: supervisor.stop,
  };
}
