import { SUPPORT_DIAGNOSTICS_MAX_LENGTH } from '@mogakgong/contract';

/** Facts that help an operator to answer, one a line, in English; without the person's identity. */
export async function collectDiagnostics(isLoggedIn: boolean): Promise<string> {
  const { language, onLine, userAgent, permissions, mediaDevices } = navigator;
  const camera = await permissions
    ?.query({ name: 'camera' as PermissionName })
    .then(({ state }) => state)
    .catch(() => 'unknown');
  const devices = (await mediaDevices?.enumerateDevices().catch(() => [])) ?? [];
  const facts = {
    time: new Date().toISOString(),
    'time zone': Intl.DateTimeFormat().resolvedOptions().timeZone,
    browser: userAgent,
    'browser language': language,
    window: `${window.innerWidth} x ${window.innerHeight} at ${window.devicePixelRatio}`,
    site: window.location.origin,
    build: new URL(import.meta.url).pathname,
    'logged in': isLoggedIn ? 'yes' : 'no',
    online: onLine ? 'yes' : 'no',
    'secure context': window.isSecureContext ? 'yes' : 'no',
    WebRTC: 'RTCPeerConnection' in window ? 'yes' : 'no',
    'camera permission': camera ?? 'unknown',
    cameras: devices.filter(({ kind }) => kind === 'videoinput').length,
    server: await serverState(),
  };
  const lines = Object.entries(facts).map(([name, fact]) => `${name}: ${fact}`);
  return lines.join('\n').slice(0, SUPPORT_DIAGNOSTICS_MAX_LENGTH);
}

/** The answer of `/readyz`: HTTP status and milliseconds. */
async function serverState(): Promise<string> {
  const startedMs = performance.now();
  const status = await fetch('/readyz', { cache: 'no-store' }).then(
    (response) => response.status,
    () => 'no answer',
  );
  return `${status} after ${Math.round(performance.now() - startedMs)} ms`;
}
