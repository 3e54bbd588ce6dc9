import { createConnectionTest, REALTIME_PATH, REQUEST_TIMEOUT_MS } from '@mogakgong/contract';
import { camera } from '../../features/media/camera.ts';
import type {
  MediaPath,
  PathQuality,
  TestSignalling,
} from '../../features/media/connection-path.ts';
import { ApiError, call, readAccessToken } from '../../shared/api/index.ts';
import type { AccountText } from '../../shared/i18n/namespaces.ts';
import type { TextKey } from '../../shared/i18n/texts.ts';
import { isInsecureUrl, isPrivateAddress, reachOf } from './addresses.ts';

type AnyKey = Exclude<Parameters<AccountText>[0], TextKey>;
export type ResultKey = Extract<AnyKey, `result.${string}`>;

/** The result of a check, and its text. */
export interface Outcome {
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly text: ResultKey;
  readonly values?: Readonly<Record<string, string | number>>;
  /** The API's message, in the reader's language; not part of the report. */
  readonly message?: string;
}

/** The checks in order. */
export const CHECKS = [
  'browser',
  'camera',
  'address',
  'api',
  'webSocket',
  'stomp',
  'signalling',
  'udp',
  'tcp',
  'turn',
  'quality',
] as const;
export type CheckId = (typeof CHECKS)[number];

const MEASURED_MS = 4_000;
const SLOW_MS = 300;
const LOSS_MAX = 0.03;

const ok = (text: ResultKey, values = {}): Outcome => ({ state: 'ok', text, values });
const warning = (text: ResultKey, values = {}): Outcome => ({ state: 'warning', text, values });
const failed = (text: ResultKey, values = {}): Outcome => ({ state: 'failed', text, values });
const skipped = (text: ResultKey): Outcome => ({ state: 'skipped', text });
const refused = ({ message, status, code }: ApiError): Outcome => ({
  ...failed('result.refused', { status, code: code ?? 'none' }),
  message,
});

/** One run of all checks; later checks use the results of earlier ones. */
export class DiagnosticsRun {
  readonly #isLoggedIn: boolean;
  #media: { readonly address: string; readonly token: string; readonly hasTurn: boolean } | null =
    null;
  readonly #paths = new Map<MediaPath, PathQuality>();

  constructor(isLoggedIn: boolean) {
    this.#isLoggedIn = isLoggedIn;
  }

  /** Never rejects. */
  async run(id: CheckId): Promise<Outcome> {
    try {
      return await this.#check(id);
    } catch (error) {
      return error instanceof ApiError ? refused(error) : failed(`result.${id}.failed`);
    }
  }

  #check(id: CheckId): Outcome | Promise<Outcome> {
    if (id === 'browser') return checkBrowser();
    if (id === 'camera') return checkCamera();
    if (id === 'address') return checkAddress(window.location.href);
    if (id === 'api') return checkApi();
    if (id === 'webSocket') return checkWebSocket();
    if (!this.#isLoggedIn) return skipped('result.needsLogIn');
    if (id === 'stomp') return checkStomp();
    if (id === 'signalling') return this.#checkSignalling();
    if (this.#media === null) return skipped('result.needsSignalling');
    return id === 'quality' ? this.#quality() : this.#checkPath(id);
  }

  async #checkSignalling(): Promise<Outcome> {
    const { token, serverUrl } = await call(createConnectionTest, {});
    const { hasTurn } = await import('../../features/media/connection-path.ts');
    const address = new URL(serverUrl, window.location.href).href.replace(/^http/u, 'ws');
    const startedMs = performance.now();
    const signalling = await openSignalling(address, token);
    const ms = Math.round(performance.now() - startedMs);
    this.#media = { address, token, hasTurn: hasTurn(signalling.join) };
    signalling.close();
    if (isInsecureUrl(address)) return warning('result.address.insecure');
    if (isPrivateAddress(new URL(address).hostname)) return warning('result.address.private');
    return ok('result.reached', { ms });
  }

  async #checkPath(path: MediaPath): Promise<Outcome> {
    if (this.#media === null) return skipped('result.needsSignalling');
    const { address, token, hasTurn } = this.#media;
    if (path === 'turn' && !hasTurn) return skipped('result.turn.none');
    const { tryPath } = await import('../../features/media/connection-path.ts');
    const signalling = await openSignalling(address, token).catch(() => null);
    if (signalling === null) return failed('result.signalling.failed');
    let server = reachOf([]);
    try {
      const quality = await tryPath(signalling, path, MEASURED_MS, (addresses) => {
        server = reachOf(addresses);
      });
      this.#paths.set(path, quality);
      return ok('result.reached', { ms: Math.round(quality.connectedMs), server });
    } catch {
      // Whether pictures have any path at all is known after the last one: `quality` reports it. A TURN
      // server may reach private addresses.
      const isOutOfReach = server === 'private' && path !== 'turn';
      return warning(isOutOfReach ? 'result.path.private' : `result.${path}.failed`, { server });
    } finally {
      signalling.close();
    }
  }

  #quality(): Outcome {
    const [measured] = this.#paths.values();
    if (!measured) return failed('result.quality.failed');
    const { roundTripMs, loss } = measured;
    const values = {
      ms: roundTripMs === null ? '?' : Math.round(roundTripMs),
      loss: loss === null ? '?' : (loss * 100).toFixed(1),
    };
    const isPoor = (roundTripMs ?? 0) > SLOW_MS || (loss ?? 0) > LOSS_MAX;
    return isPoor ? warning('result.quality.poor', values) : ok('result.quality.good', values);
  }
}

async function openSignalling(address: string, token: string): Promise<TestSignalling> {
  const { TestSignalling } = await import('../../features/media/connection-path.ts');
  return TestSignalling.open(address, token);
}

function checkBrowser(): Outcome {
  const parts = {
    WebRTC: 'RTCPeerConnection' in window,
    WebSocket: 'WebSocket' in window,
    VP8: globalThis.RTCRtpSender?.getCapabilities?.('video')?.codecs.some(({ mimeType }) =>
      /vp8/iu.test(mimeType),
    ),
    canvas: 'captureStream' in HTMLCanvasElement.prototype,
  };
  const missing = Object.entries(parts).filter(([, isThere]) => !isThere);
  if (missing.length === 0) return ok('result.browser.ok');
  return failed('result.browser.failed', { parts: missing.map(([name]) => name).join(', ') });
}

/** Opens the camera for a moment. */
async function checkCamera(): Promise<Outcome> {
  const release = camera.hold(true);
  try {
    const state = await camera.open();
    if (state.kind === 'on') return ok('result.camera.ok');
    return failed('result.camera.failed', {
      problem: state.kind === 'failed' ? state.problem : 'unknown',
    });
  } finally {
    release();
  }
}

function checkAddress(page: string): Outcome {
  if (isInsecureUrl(page)) return warning('result.address.insecure');
  if (isPrivateAddress(new URL(page).hostname)) return warning('result.address.private');
  return ok('result.address.ok');
}

async function checkApi(): Promise<Outcome> {
  const startedMs = performance.now();
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const answer = await fetch('/readyz', { cache: 'no-store', signal });
  const ms = Math.round(performance.now() - startedMs);
  return answer.ok ? ok('result.reached', { ms }) : failed('result.api.failed');
}

async function checkWebSocket(): Promise<Outcome> {
  const startedMs = performance.now();
  (await openRealtime()).close();
  return ok('result.reached', { ms: Math.round(performance.now() - startedMs) });
}

/** Connects to the realtime service as a room does, and disconnects. */
async function checkStomp(): Promise<Outcome> {
  const socket = await openRealtime();
  try {
    const startedMs = performance.now();
    const answered = new Promise<string>((resolve) => {
      socket.onmessage = ({ data }) => resolve(String(data));
      socket.onclose = () => resolve('');
      setTimeout(() => resolve(''), REQUEST_TIMEOUT_MS);
    });
    const login = `Authorization:Bearer ${readAccessToken() ?? ''}`;
    socket.send(`CONNECT\naccept-version:1.2\nhost:${window.location.host}\n${login}\n\n\0`);
    if (!(await answered).startsWith('CONNECTED')) return failed('result.stomp.failed');
    return ok('result.reached', { ms: Math.round(performance.now() - startedMs) });
  } finally {
    socket.close();
  }
}

function openRealtime(): Promise<WebSocket> {
  const socket = new WebSocket(`${window.location.origin.replace(/^http/u, 'ws')}${REALTIME_PATH}`);
  return new Promise((resolve, reject) => {
    socket.onopen = () => resolve(socket);
    socket.onerror = () => reject(new Error('no WebSocket'));
    setTimeout(() => reject(new Error('timeout')), REQUEST_TIMEOUT_MS);
  });
}
