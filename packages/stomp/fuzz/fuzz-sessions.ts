import { Group, Message, Refusal } from '../src/index.ts';
import { createContext } from '../src/options.ts';
import { Session } from '../src/session.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakeWire } from '../testing/fake-wire.ts';
import { createRandom, cut, generateFrame, mutate, type Random } from './generate-frames.ts';

export interface FuzzResult {
  readonly frames: number;
  readonly sessions: number;
  /** How often a hook decided about a frame. */
  readonly handled: number;
  readonly errors: number;
  readonly messages: number;
  /** Sessions that did not end cleanly, and hooks called out of order: must be empty. */
  readonly faults: readonly string[];
}

const CONNECTS = [
  'CONNECT\naccept-version:1.0,1.1,1.2\nheart-beat:4000,4000\n\n\0',
  'STOMP\naccept-version:1.2\n\n\0',
  'CONNECT\naccept-version:1.1\n\n\0',
  'CONNECT\n\n\0',
];

/** A hook's answer: most accept, some refuse or fail, at once or later. */
function answer(random: Random): undefined | Refusal | Promise<undefined | Refusal> {
  const refusal = new Refusal('no', { staysOpen: random(4) > 0 });
  const kind = random(200);
  if (kind === 0) throw new Error('broken');
  if (kind === 1) return Promise.reject(new Error('broken later'));
  if (kind < 5) return refusal;
  if (kind < 10) return Promise.reject(refusal);
  return kind < 60 ? Promise.resolve(undefined) : undefined;
}

/**
 * Sends `frames` generated and corrupted frames through real sessions, in pieces, with synchronous,
 * asynchronous, refusing and failing hooks. Throws if an error escapes a session.
 */
export async function fuzzSessions(
  frames: number,
  seed: number,
  onProgress?: (frames: number) => void,
): Promise<FuzzResult> {
  const random = createRandom(seed);
  const clock = new FakeClock();
  const faults: string[] = [];
  const room = new Group<number>();
  let open = 0;
  let handled = 0;
  const reply = () => {
    handled += 1;
    return answer(random);
  };
  const context = createContext<number, number>({
    clock,
    hooks: {
      onConnect: (_frame, handshake) => {
        open += 1;
        return random(2) === 0
          ? { principal: handshake }
          : Promise.resolve({ principal: handshake });
      },
      onSubscribe: (subscription) => {
        room.add(subscription);
        return reply();
      },
      onUnsubscribe: reply,
      onSend: (_session, frame) => {
        const body = Buffer.from(frame.body);
        room.publish(new Message({ messageId: 'm', body }));
        return reply();
      },
      onAck: reply,
      onDisconnect: (session) => {
        open -= 1;
        if (session.isOpen) faults.push('onDisconnect of an open session');
      },
      onFailure: (error) => {
        if (!String(error).includes('broken')) faults.push(String(error));
      },
    },
  });
  let sent = 0;
  let sessions = 0;
  const written = { ERROR: 0, MESSAGE: 0 };
  while (sent < frames) {
    const wire = new FakeWire(written);
    const session = new Session(String(sessions), wire, context, sessions);
    sessions += 1;
    session.receive(Buffer.from(CONNECTS[random(CONNECTS.length)] as string));
    for (let n = 1 + random(200); n > 0 && sent < frames && wire.closedWith === undefined; n -= 1) {
      const frame = generateFrame(random);
      sent += 1;
      for (const piece of cut(random(40) === 0 ? mutate(frame, random) : frame, random)) {
        session.receive(piece);
        if (!wire.isReading) await waitUntil(() => wire.isReading || wire.closedWith !== undefined);
      }
      wire.dropQueued();
      // Lets asynchronous hooks settle, but not always before more has come.
      if (random(4) === 0) await new Promise(setImmediate);
      if (random(100) === 0) clock.advance(random(5_000));
      if (sent % 10_000 === 0) onProgress?.(sent);
    }
    if (random(2) === 0) session.close();
    session.connectionLost('end');
    await waitUntil(() => open === 0);
    if (room.size > 0) faults.push('a subscription outlived its session');
  }
  if (context.sweep.size > 0) faults.push('a session is swept after its end');
  const { ERROR: errors, MESSAGE: messages } = written;
  return { frames: sent, sessions, handled, errors, messages, faults };
}

async function waitUntil(condition: () => boolean): Promise<void> {
  for (let turns = 0; !condition(); turns += 1) {
    if (turns > 10_000) throw new Error('a session hangs');
    await new Promise(setImmediate);
  }
}
