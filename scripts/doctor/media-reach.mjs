import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { DEFAULT_MEDIA_PORTS } from '../../apps/stack/src/media-server/free-ports.mjs';
import { parseTurnUrl } from '../../apps/stack/src/turn-url.mjs';
import { hasOwnMediaServer } from '../stack/media-server-binary.mjs';
import { note, ok, problem } from './finding.mjs';
import { findMediaPorts, ownAddresses, tcpListens } from './network.mjs';

const STUN_WAIT_MS = 2_000;
/** RFC 8489: a binding request without attributes. */
const BINDING_REQUEST = Buffer.from('000100002112a442', 'hex');
const TRANSACTION_BYTES = 12;
const PRIVATE = /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/;

/** Whether browsers elsewhere reach media, and the TURN server that they may go through. */
export async function checkMediaReach(instance) {
  if (hasOwnMediaServer() && !process.env.MEDIA_ADDRESS) return [];
  const { tcp } = (await findMediaPorts()) ?? DEFAULT_MEDIA_PORTS;
  const isRunning = instance !== undefined;
  return [
    ...(await checkMediaAddress(process.env, ownAddresses(), { tcp }, isRunning)),
    ...(await checkTurn(process.env.TURN_URL)),
  ];
}

/** Whether only machines of the same network, or this one, reach an IPv4 address. */
export const isPrivate = (address) => PRIVATE.test(address);

/**
 * Whether browsers elsewhere are given an address that they can reach.
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} ownAddresses IPv4 addresses of this machine
 * @param {{tcp: number}} ports
 * @param {boolean} isRunning
 */
export async function checkMediaAddress(env, ownAddresses, { tcp }, isRunning) {
  const isPublicSite = await isPublic(env.PUBLIC_URL);
  const given = env.MEDIA_ADDRESS;
  if (!given) {
    const isHidden = ownAddresses.every(isPrivate);
    return isPublicSite && isHidden
      ? [
          problem(
            `Learners of ${env.PUBLIC_URL} are given private addresses for media`,
            'Set MEDIA_ADDRESS to the public address, and forward the media ports to this machine.',
          ),
        ]
      : [];
  }
  const address = await addressOf(given);
  if (address === undefined) {
    return [
      problem(`MEDIA_ADDRESS ${given} has no address`, 'Give an IP address, or fix its name.'),
    ];
  }
  if (isPublicSite && isPrivate(address)) {
    return [
      problem(
        `MEDIA_ADDRESS ${given} is a private address, and ${env.PUBLIC_URL} is public`,
        'Set it to the address by which the internet reaches this machine.',
      ),
    ];
  }
  if (!isRunning) return [ok(`MEDIA_ADDRESS is ${address}`)];
  return (await tcpListens(address, tcp))
    ? [ok(`Media answers at MEDIA_ADDRESS ${address}, TCP ${tcp}`)]
    : [
        note(
          `Nothing answers at MEDIA_ADDRESS ${address}, TCP ${tcp}`,
          'Forward the media ports to this machine; a router may also refuse to lead them back from inside.',
        ),
      ];
}

/** Whether the TURN server at this address answers; what is no address the environment's check says. */
export async function checkTurn(url = '') {
  const turn = parseTurnUrl(url);
  if (turn === null) return [];
  const { host, port, protocol } = turn;
  const isUdp = protocol === 'udp';
  // Sockets take an IPv6 address without the brackets that it has in a URL.
  const address = host.replace(/^\[|\]$/g, '');
  const answers = await (isUdp ? answersStun(address, port) : tcpListens(address, port));
  const place = `${host}, ${isUdp ? 'UDP' : 'TCP'} ${port}`;
  return [
    answers
      ? ok(`The TURN server answers at ${place}`)
      : problem(`The TURN server does not answer at ${place}`, 'Start it, and open its port.'),
  ];
}

function answersStun(host, port) {
  return new Promise((resolve) => {
    const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4');
    const end = (answer) => {
      clearTimeout(timer);
      socket.close();
      resolve(answer);
    };
    const timer = setTimeout(() => end(false), STUN_WAIT_MS);
    const request = Buffer.concat([BINDING_REQUEST, randomBytes(TRANSACTION_BYTES)]);
    socket.once('error', () => end(false));
    socket.once('message', (answer) =>
      end(answer.subarray(8, 8 + TRANSACTION_BYTES).equals(request.subarray(8))),
    );
    socket.send(request, port, host, (error) => error && end(false));
  });
}

async function isPublic(url) {
  if (!url) return false;
  const address = await addressOf(new URL(url).hostname);
  return address !== undefined && !isPrivate(address);
}

async function addressOf(host) {
  return lookup(host, { family: 4 }).then(
    ({ address }) => address,
    () => undefined,
  );
}
