import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  readLivePidFile,
  type SupervisedProcess,
  type SupervisorLogger,
  type SupervisorState,
  supervise,
} from '../child-process/index.ts';
import { type MediaReach, mediaServerConfiguration, readPorts } from './configuration.ts';
import { loadOrCreateKeys, type MediaKeys } from './keys.ts';
import { launchLiveKit } from './livekit-process.ts';
import { chooseFreePorts, DEFAULT_MEDIA_PORTS, type MediaPorts } from './ports.ts';

/** Maximum number of attempts to choose ports on a first start. */
const CHOICES_OF_PORTS = 5;

export interface MediaServerOptions {
  /** The livekit-server program. */
  readonly binaryPath: string;
  /** DATA_DIR; its folder `media-server` holds keys, configuration and the process id. */
  readonly dataDir: string;
  /** Address for the server's webhooks. */
  readonly webhookUrl: string;
  readonly logger: SupervisorLogger;
  readonly reach?: MediaReach;
  /** Preferred ports; the next free ones are used if they are taken. */
  readonly ports?: Partial<MediaPorts>;
}

/** Our own media server. */
export interface MediaServer extends MediaKeys {
  /** Address of its API and signalling, e.g. `http://127.0.0.1:7880`; final once `tried`. */
  readonly url: string;
  readonly ports: MediaPorts;
  /** Settles when it runs, or cannot start now. Never rejects. */
  readonly tried: Promise<void>;
  state(): SupervisorState;
  /** Ends it; learners in rooms are disconnected. */
  stop(): Promise<void>;
}

/**
 * Starts LiveKit and keeps it running. Resolves at once: a media server that cannot start is retried, as
 * `state()` shows. Rejects only if DATA_DIR is unusable.
 */
export async function startMediaServer(options: MediaServerOptions): Promise<MediaServer> {
  const { binaryPath, dataDir, webhookUrl, logger, reach } = options;
  const folder = join(dataDir, 'media-server');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pidFile = join(folder, 'process.json');
  const configurationPath = join(folder, 'livekit.yaml');
  const keys = await loadOrCreateKeys(join(folder, 'keys.json'));
  const wished = { ...DEFAULT_MEDIA_PORTS, ...options.ports };
  const isLeftOver = (await readLivePidFile(pidFile)) !== undefined;
  let ports =
    (isLeftOver && (await readPorts(configurationPath))) || (await chooseFreePorts(wished));
  const url = () => `http://127.0.0.1:${ports.signalling}`;
  const launchOnce = (signal: AbortSignal) =>
    launchLiveKit({
      binaryPath,
      configurationPath,
      configuration: mediaServerConfiguration(keys, ports, webhookUrl, reach),
      url: url(),
      keys,
      pidFile,
      logPath: join(folder, 'livekit.log'),
      logger,
      signal,
    });

  /** Chooses again if another program took a port after it was found free. */
  async function launchFirst(signal: AbortSignal): Promise<SupervisedProcess> {
    for (let choices = 1; ; choices += 1) {
      try {
        return await launchOnce(signal);
      } catch (error) {
        const free = await chooseFreePorts(wished);
        const isSame = isDeepStrictEqual(free, ports);
        if (isSame || signal.aborted || choices === CHOICES_OF_PORTS) throw error;
        logger.info(free, 'A port of the media server was taken meanwhile; it gets others');
        ports = free;
      }
    }
  }

  // From then on the ports are fixed: the API and firewall rules depend on them.
  let launch = launchFirst;
  const tried = Promise.withResolvers<void>();
  const supervisor = supervise({
    name: 'The media server',
    logger,
    launch: (signal) =>
      launch(signal).finally(() => {
        launch = launchOnce;
        tried.resolve();
      }),
  });
  return {
    ...keys,
    get url() {
      return url();
    },
    get ports() {
      return ports;
    },
    tried: tried.promise,
    state: supervisor.state,
    stop: supervisor.stop,
  };
}
