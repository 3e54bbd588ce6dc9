import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import {
  DEFAULT_MEDIA_PORTS,
  tcpIsFree,
  udpIsFree,
} from '../../apps/stack/src/media-server/free-ports.mjs';
import { hasOwnMediaServer } from '../stack/media-server-binary.mjs';
import { note, ok, problem } from './finding.mjs';
import { portOwner } from './port-owner.mjs';
import { dataDir } from './settings.mjs';

const ASK_TIMEOUT_MS = 3_000;
const UDP_REFUSAL_WAIT_MS = 200;
const INTERNAL_FIX = 'The next free one will be used: keep it closed in your firewall.';
const PUBLIC_FIX = 'The next free one will be used: open that one in your firewall.';
const port = Number(process.env.PORT || 3000);

/** The instance that uses DATA_DIR; undefined when none answers. */
export async function findInstance() {
  const record = await readFile(join(dataDir, 'instance.json'), 'utf8').then(
    JSON.parse,
    () => ({}),
  );
  const urls = [`http://127.0.0.1:${port}`, record.url].filter(Boolean);
  for (const url of urls) {
    const live = await ask(`${url}/livez`);
    if (live?.status === 200) {
      return { url, ready: await ask(`${url}/readyz`) };
    }
  }
  return undefined;
}

export function checkInstance(instance) {
  if (instance === undefined) {
    return [note('Mogakgong does not run now', 'npm start starts it.')];
  }
  const { url, ready } = instance;
  const checks = Object.entries(ready?.body?.checks ?? {}).map(([name, { state, lastError }]) => {
    const text = `${name}: ${state}${lastError ? ` (${lastError})` : ''}`;
    return state === 'up' ? ok(text) : problem(text, 'See the log of npm start.');
  });
  const served =
    ready?.status === 200
      ? ok(`Mogakgong runs at ${url} and is ready`)
      : problem(`Mogakgong runs at ${url} and is not ready`, 'See the log of npm start.');
  return [served, ...checks];
}

/** The ports that the product uses. */
export async function checkPorts(instance) {
  if (instance !== undefined) {
    return [];
  }
  const findings = [];
  const taken = (await tcpIsFree(port)) ? undefined : await portOwner('tcp', port);
  findings.push(
    taken === undefined
      ? ok(`Port ${port} (pages) is free`)
      : problem(
          `Port ${port} (pages) is taken by ${taken}`,
          `Stop it, or choose another: PORT=${port + 1} npm start`,
        ),
  );
  const { signalling, tcp, udp, livekitTcp } = DEFAULT_MEDIA_PORTS;
  const media = [
    ['tcp', signalling, 'media signalling, this machine only', INTERNAL_FIX],
    ['tcp', tcp, 'media', PUBLIC_FIX],
    ['udp', udp, 'media', PUBLIC_FIX],
    ['tcp', livekitTcp, 'media between our processes', INTERNAL_FIX],
  ];
  for (const [protocol, number, use, fix] of media) {
    const free = protocol === 'tcp' ? await tcpIsFree(number) : await udpIsFree(number);
    findings.push(
      free
        ? ok(`${protocol.toUpperCase()} port ${number} (${use}) is free`)
        : note(
            `${protocol.toUpperCase()} port ${number} (${use}) is taken by ${await portOwner(protocol, number)}`,
            fix,
          ),
    );
  }
  return findings;
}

/** Where browsers reach pages and media, and whether they are answered there. */
export async function checkReach(instance) {
  const media = hasOwnMediaServer() ? [] : await checkOwnAddresses(instance);
  return [...media, ...(instance ? await checkSite(process.env.PUBLIC_URL) : []), checkCamera()];
}

/** The media addresses of browsers, and whether our media server listens there. */
async function checkOwnAddresses(instance) {
  const media = await findMediaPorts();
  const { udp, tcp, livekitTcp } = media ?? DEFAULT_MEDIA_PORTS;
  const addresses = ownAddresses();
  const findings = [
    note(
      `Browsers reach media at ${['this machine', ...addresses].join(', ')}: UDP ${udp}, else TCP ${tcp}`,
      `Other machines must be able to reach these ports: open both in the firewall, and keep TCP ${livekitTcp} closed.`,
    ),
  ];
  if (instance !== undefined && media !== undefined) {
    for (const address of ['127.0.0.1', ...addresses]) {
      const [tcpAnswers, udpAnswers] = [
        await tcpListens(address, tcp),
        await udpListens(address, udp),
      ];
      findings.push(
        tcpAnswers && udpAnswers
          ? ok(`Media listens at ${address}`)
          : problem(
              `Media does not listen at ${address}`,
              'This address is new since the start: start again, so that media listens there too.',
            ),
      );
    }
  }
  return findings;
}

/** Whether the address that learners open leads here. */
export async function checkSite(url) {
  if (!url) return [];
  const live = await ask(new URL('/livez', url));
  return [
    live?.status === 200
      ? ok(`${url} answers`)
      : note(
          `${url} does not answer from here`,
          'Point its DNS record to this machine or its proxy, and open TCP 80 and 443; a router may also refuse to lead back from inside.',
        ),
  ];
}

/** The ports that our media server was started with; undefined before the first start. */
export async function findMediaPorts() {
  return readFile(join(dataDir, 'media-server/ports.json'), 'utf8').then(
    JSON.parse,
    () => undefined,
  );
}

/** Browsers give a page the camera on https and on localhost only. */
function checkCamera() {
  const url = process.env.PUBLIC_URL ?? '';
  if (url.startsWith('https://')) {
    return ok(`Cameras work at ${url}`);
  }
  const text = `Cameras work at http://localhost:${port} only: browsers ask for https everywhere else`;
  return note(
    text,
    'For other machines, put a reverse proxy with https in front and set PUBLIC_URL and TRUST_PROXY=true.',
  );
}

export function ownAddresses() {
  return Object.values(networkInterfaces())
    .flat()
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
}

async function ask(url) {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return undefined;
  }
}

export function tcpListens(address, number) {
  return new Promise((resolve) => {
    const probe = connect({ host: address, port: number, timeout: ASK_TIMEOUT_MS });
    const end = (answer) => {
      probe.destroy();
      resolve(answer);
    };
    probe.once('connect', () => end(true));
    probe.once('error', () => end(false));
    probe.once('timeout', () => end(false));
  });
}

/** The system refuses at once what is sent to a port of its own that nobody listens on. */
function udpListens(address, number) {
  return new Promise((resolve) => {
    const probe = createSocket('udp4');
    const end = (answer) => {
      clearTimeout(timer);
      probe.close();
      resolve(answer);
    };
    const timer = setTimeout(() => end(true), UDP_REFUSAL_WAIT_MS);
    probe.once('error', () => end(false));
    probe.connect(number, address, () => probe.send(Buffer.of(0)));
  });
}
