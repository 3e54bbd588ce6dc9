import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChatMessage } from '@mogakgong/contract';
import type { SeatedLearner } from '../../bench/support/product.ts';
import type { Random } from '../../bench/support/random.ts';
import { askProcess, connectToProcess, untilServing } from '../../test/connect-to-process.ts';
import type { RunningStack } from '../../test/running-stack.ts';
import { PROCESSES, type Site } from './site.ts';
import { StompConnection, type StompFrame } from './stomp-connection.ts';

/** The others send every tenth of a second, which is the resolution of the measurement. */
const TALKERS = 4;
const TALK_EVERY_MS = 100;
/** Leaves fall on any moment between two comparisons of seats with the database. */
const LEAVE_WITHIN_MS = 4_000;
/** How long is measured afterwards. */
const LISTEN_MS = 6_000;
const HEARD_DEADLINE_MS = 10_000;

export interface LateLeaves {
  readonly leavers: number;
  /** Messages that somebody heard although they were sent after that one had left. */
  readonly heardAfterwards: number;
  /** How long after leaving the last of them was sent. */
  readonly longestMs: number;
}

/** One learner's connection, with what was heard on it. */
class Listener {
  readonly learner: SeatedLearner;
  readonly heard: ChatMessage[] = [];
  readonly #connection: StompConnection;

  constructor(learner: SeatedLearner, port: number, socket: Socket) {
    this.learner = learner;
    this.#connection = new StompConnection({
      port,
      socket,
      token: learner.token,
      onFrame: (frame) => this.#receive(frame),
      onClose: () => undefined,
    });
  }

  say(content: string): void {
    const { userId, roomId } = this.learner;
    const body = JSON.stringify({ senderId: userId, roomId, content });
    this.#connection.send('SEND', { destination: '/pub/chat' }, body);
  }

  close(): void {
    this.#connection.cut();
  }

  #receive({ command, body }: StompFrame): void {
    if (command === 'CONNECTED') {
      this.#connection.send('SUBSCRIBE', { id: 'sub-0', destination: '/topic/messages' });
    } else if (command === 'MESSAGE') this.heard.push(JSON.parse(body) as ChatMessage);
  }
}

/**
 * Learners leave at one process while their connections are at another that cannot be notified, because
 * Redis is gone: how long do they still receive the room's messages?
 */
export async function measureLateLeaves(
  { stack, redis }: Pick<Site, 'stack' | 'redis'>,
  learners: readonly SeatedLearner[],
  random: Random,
): Promise<LateLeaves> {
  const [here = 0, there = 0] = await untilServing(stack, PROCESSES);
  const listeners = await Promise.all(
    learners.map(
      async (learner) => new Listener(learner, stack.port, await connectToProcess(stack, there)),
    ),
  );
  const [talkers, leavers] = [listeners.slice(0, TALKERS), listeners.slice(TALKERS)];
  let said = 0;
  const talk = setInterval(() => {
    said += 1;
    for (const talker of talkers) talker.say(`${said}`);
  }, TALK_EVERY_MS);
  await untilAllHear(listeners);
  await redis.kill();
  const outcomes = await Promise.all(
    leavers.map(async ({ learner, heard }) => {
      await delay(random.between(0, LEAVE_WITHIN_MS));
      await leave(learner, stack, here);
      const leftAtMs = Date.now();
      await delay(LISTEN_MS);
      return heard
        .map(({ timestamp }) => Date.parse(timestamp) - leftAtMs)
        .filter((afterMs) => afterMs > 0);
    }),
  );
  clearInterval(talk);
  await redis.start();
  for (const listener of listeners) listener.close();
  const late = outcomes.flat();
  return {
    leavers: leavers.length,
    heardAfterwards: late.length,
    longestMs: Math.max(0, ...late),
  };
}

async function untilAllHear(listeners: readonly Listener[]): Promise<void> {
  const endMs = performance.now() + HEARD_DEADLINE_MS;
  while (!listeners.every(({ heard }) => heard.length > 0)) {
    if (performance.now() > endMs) throw new Error('not everybody hears what is said');
    await delay(50);
  }
}

async function leave(
  { userId, token }: SeatedLearner,
  stack: RunningStack,
  pid: number,
): Promise<void> {
  const path = `/api/study-rooms/leave?userId=${userId}`;
  const { status } = await askProcess(stack, pid, { method: 'POST', path, token });
  if (status !== 200) throw new Error(`leaving was answered with ${status}`);
}
