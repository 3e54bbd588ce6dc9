import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  readLivePidFile,
  type SupervisorLogger,
  type SupervisorState,
  supervise,
} from '../child-process/index.ts';
import { mediaServerConfiguration } from './configuration.ts';
import { loadOrCreateKeys, type MediaKeys } from './keys.ts';
import { endProcess, launchLiveKit } from './livekit-process.ts';
import { chooseFreePorts, DEFAULT_MEDIA_PORTS, type MediaPorts } from './ports.ts';

export interface MediaServerOptions {
  /** The livekit-server program. */
  readonly binaryPath: string;
  /** DATA_DIR; keys, configuration and the process's id are kept in its folder `media-server`. */
  readonly dataDir: string;
  readonly logger: SupervisorLogger;
  /** Ports to prefer; the next free ones are taken when they are not free. */
  readonly ports?: Partial<MediaPorts>;
}

/** Our own media server. Ports may change when it is started again: read them when they are needed. */
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
  const { binaryPath, dataDir, logger } = options;
  const folder = join(dataDir, 'media-server');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pidFile = join(folder, 'process.json');
  await endLeftOver(pidFile, logger);

  const keys = await loadOrCreateKeys(join(folder, 'keys.json'));
  const wished = { ...DEFAULT_MEDIA_PORTS, ...options.ports };
  let ports = await chooseFreePorts(wished);
  const supervisor = supervise({
    name: 'The media server',
    logger,
    launch: async (signal) => {
      ports = await chooseFreePorts(ports);
      return launchLiveKit({
        binaryPath,
        configurationPath: join(folder, 'livekit.yaml'),
        configuration: mediaServerConfiguration(keys, ports),
        url: urlOf(ports),
        pidFile,
        logger,
        signal,
      });
    },
  });
  return {
    ...keys,
    get url() {
      return urlOf(ports);
    },
    get udpPort() {
      return ports.udp;
    },
    get tcpPort() {
      return ports.tcp;
    },
    state: supervisor.state,
    stop: supervisor.stop,
  };
}

function urlOf(ports: MediaPorts): string {
  return `http://127.0.0.1:${ports.signalling}`;
}

/** A killed API leaves its media server behind, with ports and keys that we need. */
async function endLeftOver(pidFile: string, logger: SupervisorLogger): Promise<void> {
  const leftOver = await readLivePidFile(pidFile);
  if (leftOver !== undefined) {
    logger.info({ pid: leftOver.pid }, 'Ending the media server that an earlier run left behind');
    await endProcess(leftOver);
  }
}
