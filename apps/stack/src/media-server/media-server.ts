import { lookup } from 'node:dns/promises';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  keepLogShort,
  readLivePidFile,
  type SupervisedProcess,
  type SupervisorLogger,
  type SupervisorState,
  supervise,
  writePrivateFile,
} from '../child-process/index.ts';
import { type MediaReach, mediaServerConfiguration } from './configuration.ts';
import { DEFAULT_MEDIA_PORTS } from './free-ports.mjs';
import { loadOrCreateKeys, type MediaKeys } from './keys.ts';
import { endProcess, launchLiveKit } from './livekit-process.ts';
import { chooseFreePorts, type MediaPorts, readPorts } from './ports.ts';
import { openTcpGuard } from './tcp-guard/index.ts';

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
  /** Its keys, where the API has them from elsewhere; by default those in its folder. */
  readonly keys?: MediaKeys | undefined;
  /** Preferred ports; the next free ones are used if they are taken. */
  readonly ports?: Partial<MediaPorts>;
  /** Interval of the checks whether it still works. */
  readonly checkEveryMs?: number;
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

/** The paths of its files, in a folder that is there. */
async function openFolder(dataDir: string) {
  const folder = join(dataDir, 'media-server');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    keysPath: join(folder, 'keys.json'),
    pidFile: join(folder, 'process.json'),
    configurationPath: join(folder, 'livekit.yaml'),
    portsPath: join(folder, 'ports.json'),
    logPath: join(folder, 'livekit.log'),
  };
}

/**
 * Starts LiveKit and keeps it running. Resolves at once: a media server that cannot start is retried, as
 * `state()` shows. Rejects only if DATA_DIR is unusable, or the name of its address is not known.
 */
export async function startMediaServer(options: MediaServerOptions): Promise<MediaServer> {
  const { binaryPath, dataDir, webhookUrl, logger, checkEveryMs } = options;
  const reach = { ...options.reach, address: await resolveAddress(options.reach?.address) };
  const { keysPath, pidFile, configurationPath, portsPath, logPath } = await openFolder(dataDir);
  const keys = options.keys ?? (await loadOrCreateKeys(keysPath));
  const wished = { ...DEFAULT_MEDIA_PORTS, ...options.ports };
  const earlier = await findEarlierPorts(pidFile, portsPath);
  let ports = earlier ?? wished;
  const guard = await openTcpGuard({
    port: ports.tcp,
    avoid: [wished.signalling, wished.livekitTcp],
    livekitPort: () => ports.livekitTcp,
    logger,
  });
  ports = earlier ? { ...earlier, tcp: guard.port } : await chooseFreePorts(wished, guard.port);
  const endLog = keepLogShort(logPath);
  const url = () => `http://127.0.0.1:${ports.signalling}`;
  const launchOnce = async (signal: AbortSignal) => {
    await writePrivateFile(portsPath, `${JSON.stringify(ports)}\n`);
    return launchLiveKit({
      binaryPath,
      configurationPath,
      configuration: mediaServerConfiguration(keys, ports, webhookUrl, reach),
      url: url(),
      tcpPort: ports.livekitTcp,
      keys,
      pidFile,
      logPath,
      checkEveryMs,
      logger,
      signal,
    });
  };

  /** Chooses again if another program took a port after it was found free. */
  async function launchFirst(signal: AbortSignal): Promise<SupervisedProcess> {
    for (let choices = 1; ; choices += 1) {
      try {
        return await launchOnce(signal);
      } catch (error) {
        const free = await chooseFreePorts(wished, guard.port);
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
    async stop() {
      await supervisor.stop();
      endLog();
      await guard.close();
    },
  };
}

/** LiveKit takes one IP address only: of a name that of IPv4, which every machine and nearly every learner has. */
async function resolveAddress(mediaAddress: string | undefined): Promise<string | undefined> {
  if (mediaAddress === undefined) return undefined;
  try {
    return (await lookup(mediaAddress, { order: 'ipv4first' })).address;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`MEDIA_ADDRESS: ${mediaAddress} has no address (${code}).`);
  }
}

/** The ports of a LiveKit that an earlier run left behind; one without them is ended. */
async function findEarlierPorts(
  pidFile: string,
  portsPath: string,
): Promise<MediaPorts | undefined> {
  const leftOver = await readLivePidFile(pidFile);
  if (leftOver === undefined) return undefined;
  const ports = await readPorts(portsPath);
  // That of a release without a guard listens on the port of the guard.
  if (ports === undefined) await endProcess(leftOver);
  return ports;
}
