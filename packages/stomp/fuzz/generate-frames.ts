/** Seeded random numbers (mulberry32). */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

export type Random = (below: number) => number;

const RARE_COMMANDS = 'ACK NACK DISCONNECT CONNECT STOMP MESSAGE COMMIT ABORT x'.split(' ');
const NAMES = [
  ...'destination id ack transaction message-id subscription content-length heart-beat'.split(' '),
  ...'accept-version selector content-type'.split(' '),
];
const VALUES = [
  ...'/a /b 0 1 2 t u auto client client-individual 0,0 4000,4000 1.2 5 -1'.split(' '),
  ...'\\c \\n \\\\ \\x 0\\cm 모각공'.split(' '),
  '',
  '9'.repeat(30),
];

const NUL = Buffer.from([0]);

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random(from.length)] as T;
}

/** A frame as a client sends it: mostly valid, so that sessions last for many. */
export function generateFrame(random: Random): Buffer {
  const lines = generateLines(random);
  const command = lines[0] as string;
  if (random(10) === 0) lines.push(`receipt:${random(1_000)}`);
  if (random(30) === 0) lines.push(`${pick(random, NAMES)}:${pick(random, VALUES)}`);
  for (let n = random(4); n > 0; n -= 1) lines.push(`x-${n}:${'v'.repeat(random(60))}`);
  const body = command === 'SEND' ? generateBody(random) : Buffer.alloc(0);
  if (body.includes(0) || random(2) === 0) lines.splice(1, 0, `content-length:${body.length}`);
  const eol = random(200) === 0 ? '\r\n' : '\n';
  const head = Buffer.from(lines.join(eol) + eol + eol);
  return Buffer.concat([head, body, NUL, Buffer.alloc(random(3), 0x0a)]);
}

function generateLines(random: Random): string[] {
  const kind = random(100);
  const id = `id:${random(1_000)}`;
  if (kind < 70) return ['SEND', 'destination:/a'];
  if (kind < 80) return ['SUBSCRIBE', 'destination:/a', id, `ack:${random(9) ? 'auto' : 'client'}`];
  if (kind < 92) return ['UNSUBSCRIBE', id];
  if (kind < 95) return ['BEGIN', `transaction:${random(1_000)}`];
  if (kind < 97) return ['SEND', 'destination:/a', `transaction:${random(4)}`];
  return [pick(random, RARE_COMMANDS), id, `transaction:${random(4)}`, 'destination:/a'];
}

function generateBody(random: Random): Buffer {
  const length = random(20) === 0 ? random(20_000) : random(200);
  return Buffer.alloc(length, random(4) === 0 ? random(256) : 0x61);
}

/** Corrupts bytes, truncates them or duplicates a part. */
export function mutate(bytes: Buffer, random: Random): Buffer {
  const spoiled = Buffer.from(bytes);
  for (let n = 1 + random(4); n > 0; n -= 1) {
    spoiled[random(spoiled.length)] = pick(random, [0, 10, 13, 58, 92, 255, 0xc3, random(256)]);
  }
  if (random(4) === 0) return spoiled.subarray(0, random(spoiled.length) + 1);
  if (random(4) === 0) return Buffer.concat([spoiled, spoiled.subarray(random(spoiled.length))]);
  return spoiled;
}

/** The same bytes in pieces of any size. */
export function cut(bytes: Buffer, random: Random): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random(random(3) === 0 ? 4 : bytes.length);
    pieces.push(Buffer.from(bytes.subarray(at, end)));
    at = end;
  }
  return pieces;
}
