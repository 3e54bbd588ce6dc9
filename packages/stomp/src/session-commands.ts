import {
  andThen,
  consult,
  type MaybePromise,
  type Receipt,
  Refusal,
  type SendAnswer,
} from './answers.ts';
import { type Frame, StompProtocolError, type StompVersion } from './frame.ts';
import type { StompLimits } from './limits.ts';
import type { AckMode, StompHooks, StompSession } from './stomp-types.ts';
import { Subscription, type SubscriptionOwner } from './subscription.ts';
import type { Transactions } from './transactions.ts';

/** The state that the commands of a connected client use. */
export interface CommandSession<Principal, Handshake>
  extends StompSession<Principal>,
    SubscriptionOwner<Principal> {
  readonly subscriptions: Map<string, Subscription<Principal>>;
  readonly transactions: Transactions;
  readonly context: {
    readonly hooks: StompHooks<Principal, Handshake>;
    readonly limits: StompLimits;
  };
}

/** The outcome of a frame: undefined accepts it. */
export type Outcome = MaybePromise<Receipt | Refusal | undefined>;
// biome-ignore lint/suspicious/noExplicitAny: commands treat the application's types as opaque.
type AnySession = CommandSession<any, any>;
type Command = (session: AnySession, frame: Frame) => Outcome;

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['SEND', send],
  ['SUBSCRIBE', subscribe],
  ['UNSUBSCRIBE', unsubscribe],
  ['ACK', holdOr(acknowledge)],
  ['NACK', holdOr(acknowledge)],
  ['BEGIN', begin],
  ['COMMIT', commit],
  ['ABORT', abort],
  ['DISCONNECT', () => undefined],
]);

/** Carries out one frame of a connected client; throws StompProtocolError. */
export function handleCommand(session: AnySession, frame: Frame): Outcome {
  if (frame.command === 'CONNECT' || frame.command === 'STOMP') {
    throw new StompProtocolError('already connected');
  }
  const command = COMMANDS.get(frame.command);
  if (!command || (frame.command === 'NACK' && session.version === '1.0')) {
    throw new StompProtocolError('unknown command');
  }
  if (frame.body.length > 0 && frame.command !== 'SEND') {
    throw new StompProtocolError(`${frame.command} has no body`);
  }
  return command(session, frame);
}

function ask(hook: () => SendAnswer): Outcome {
  return andThen(consult(hook), (answer) => answer ?? undefined);
}

function required(frame: Frame, name: string): string {
  const value = frame.headers.get(name);
  if (value === undefined) throw new StompProtocolError(`${frame.command} needs ${name}`);
  return value;
}

/** A frame that names a transaction waits for its COMMIT. */
function holdOr(carryOut: Command): Command {
  return (session, frame) => {
    const transaction = frame.headers.get('transaction');
    if (transaction === undefined) return carryOut(session, frame);
    session.transactions.hold(transaction, frame);
    return undefined;
  };
}

function send(session: AnySession, frame: Frame): Outcome {
  required(frame, 'destination');
  return holdOr(deliver)(session, frame);
}

function deliver(session: AnySession, frame: Frame): Outcome {
  return ask(() => session.context.hooks.onSend?.(session, frame));
}

/** A 1.0 client need not name its subscription; the key cannot clash, as no header contains NUL. */
function subscriptionKey(frame: Frame, version: StompVersion): string {
  const id = frame.headers.get('id');
  if (id !== undefined) return id;
  if (version !== '1.0') throw new StompProtocolError(`${frame.command} needs id`);
  return `\0${required(frame, 'destination')}`;
}

function readAckMode(frame: Frame, version: StompVersion): AckMode {
  const mode = frame.headers.get('ack') ?? 'auto';
  if (mode === 'auto' || mode === 'client') return mode;
  if (mode === 'client-individual' && version !== '1.0') return mode;
  throw new StompProtocolError('unknown ack mode');
}

function subscribe(session: AnySession, frame: Frame): Outcome {
  const key = subscriptionKey(frame, session.version);
  const destination = required(frame, 'destination');
  const ack = readAckMode(frame, session.version);
  if (session.subscriptions.has(key)) throw new StompProtocolError('subscription id is taken');
  if (session.subscriptions.size >= session.context.limits.subscriptions) {
    throw new StompProtocolError('too many subscriptions');
  }
  const subscription = new Subscription(session, frame.headers.get('id'), destination, ack);
  session.subscriptions.set(key, subscription);
  const answer = ask(() => session.context.hooks.onSubscribe?.(subscription, frame));
  return andThen(answer, (outcome) => {
    if (outcome instanceof Refusal) {
      session.subscriptions.delete(key);
      subscription.end();
    }
    return outcome;
  });
}

function unsubscribe(session: AnySession, frame: Frame): Outcome {
  const key = subscriptionKey(frame, session.version);
  const subscription = session.subscriptions.get(key);
  if (!subscription) return undefined;
  session.subscriptions.delete(key);
  subscription.end();
  return ask(() => session.context.hooks.onUnsubscribe?.(subscription));
}

function acknowledge(session: AnySession, frame: Frame): Outcome {
  const { subscription, messageId } = findAcknowledged(session, frame);
  const messageIds = subscription.takeAcknowledged(messageId);
  const isPositive = frame.command === 'ACK';
  return ask(() => session.context.hooks.onAck?.({ subscription, messageIds, isPositive }));
}

interface Acknowledged {
  readonly subscription: Subscription<unknown>;
  readonly messageId: string;
}

/** 1.2 answers the `ack` header by `id`; 1.1 names subscription and message, 1.0 the message. */
function findAcknowledged(session: AnySession, frame: Frame): Acknowledged {
  const is12 = session.version === '1.2';
  const name = is12 ? required(frame, 'id') : required(frame, 'message-id');
  const wanted = session.version === '1.1' ? required(frame, 'subscription') : undefined;
  for (const subscription of session.subscriptions.values()) {
    if (wanted !== undefined && subscription.id !== wanted) continue;
    const prefix = is12 ? `${subscription.id}:` : '';
    const messageId = name.slice(prefix.length);
    if (name.startsWith(prefix) && subscription.isWaitingFor(messageId)) {
      return { subscription, messageId };
    }
  }
  throw new StompProtocolError('unknown message acknowledged');
}

function begin(session: AnySession, frame: Frame): Outcome {
  session.transactions.begin(required(frame, 'transaction'));
  return undefined;
}

function abort(session: AnySession, frame: Frame): Outcome {
  session.transactions.end(required(frame, 'transaction'));
  return undefined;
}

/**
 * Carries the held frames out in order; the first refusal stops and answers the COMMIT. Headers of a SEND's
 * Receipt are dropped: the RECEIPT of COMMIT answers several frames.
 */
function commit(session: AnySession, frame: Frame): Outcome {
  return carryOut(session, session.transactions.end(required(frame, 'transaction')), 0);
}

function carryOut(session: AnySession, frames: readonly Frame[], from: number): Outcome {
  for (let index = from; index < frames.length; index += 1) {
    const frame = frames[index] as Frame;
    const outcome =
      frame.command === 'SEND' ? deliver(session, frame) : acknowledge(session, frame);
    if (outcome instanceof Promise) {
      return outcome.then((settled) =>
        settled instanceof Refusal ? settled : carryOut(session, frames, index + 1),
      );
    }
    if (outcome instanceof Refusal) return outcome;
  }
  return undefined;
}
