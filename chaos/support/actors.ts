import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { SignalResponse } from '@livekit/protocol';
import type { FocusClock } from '@mogakgong/contract';
import { WebSocket } from 'ws';
import { strokeOf } from '../../bench/support/drawing.ts';
import type { SeatedLearner } from '../../bench/support/product.ts';
import type { Random } from '../../bench/support/random.ts';
import { Chatter } from './chatter.ts';
import { type Caller, callApi, RefusedCall } from './learner-calls.ts';
import { Painter } from './painter.ts';
import { Tab } from './tab.ts';

export const operations = ['chat', 'board', 'timer', 'enter', 'media'] as const;
export type Operation = (typeof operations)[number];

/**
 * As the browser's clients, which wait for 10 s and come back after 5 to 30 s: shorter, so that the
 * server is measured and not the patience of its clients.
 */
const ANSWER_WITHIN_MS = 2_000;
const RETRY_MS = [200, 400, 800] as const;
const LOOK_EVERY_MS = 10;
const MESSAGES_PER_SECOND = 20;
const STROKE_BYTES = 800;
/** What the browser takes for a failure of the moment, and sends again. */
const PASSING = [408, 429, 502, 503, 504];

interface ActorOptions {
  readonly learner: SeatedLearner;
  readonly port: number;
  readonly random: Random;
  /** Stops what is still tried. */
  readonly signal: AbortSignal;
}

/** A learner who does one thing, again and again. */
export interface Actor {
  readonly operation: Operation;
  readonly learner: SeatedLearner;
  /** Does it once; resolves when the server has acknowledged it, however often it must be tried. */
  act(): Promise<void>;
  /** Whether its room, of which these are the learners, sees what it did last. */
  isSeenBy(room: readonly Actor[]): boolean;
  /** Answers that say that the server failed, other than that it is unavailable now. */
  readonly failures: readonly string[];
  stop(): void;
}

async function until(isSo: () => boolean, signal: AbortSignal): Promise<void> {
  while (!isSo()) await delay(LOOK_EVERY_MS, undefined, { signal });
}

/** Says something with each act, and hears the room. */
export class ChatActor extends Chatter implements Actor {
  readonly operation = 'chat';
  readonly learner: SeatedLearner;
  readonly #texts: string[];
  readonly #signal: AbortSignal;

  constructor({ learner, port, random, signal }: ActorOptions) {
    const { userId, roomId, token } = learner;
    const texts: string[] = [];
    super({
      ...{ userId, roomId, port, random, texts },
      makeToken: async () => token,
      messagesPerSecond: MESSAGES_PER_SECOND,
      receiptWithinMs: ANSWER_WITHIN_MS,
    });
    this.learner = learner;
    this.#texts = texts;
    this.#signal = signal;
    this.start();
  }

  act(): Promise<void> {
    const text = `${this.learner.roomId}/${this.learner.userId}/${this.#texts.length}`;
    this.#texts.push(text);
    return until(() => this.acknowledged.has(text), this.#signal);
  }

  isSeenBy(room: readonly Actor[]): boolean {
    const text = this.#texts.at(-1);
    return room.every(
      (other) =>
        !(other instanceof ChatActor) || other.log.findLast(({ content }) => content === text),
    );
  }
}

/** Draws a stroke with each act, and sees the board. */
export class BoardActor extends Painter implements Actor {
  readonly operation = 'board';
  readonly learner: SeatedLearner;
  readonly #random: Random;
  readonly #signal: AbortSignal;
  #strokes = 0;

  constructor({ learner, port, random, signal }: ActorOptions) {
    const { userId, roomId, token } = learner;
    super({
      ...{ userId, roomId, port, random },
      makeToken: async () => token,
      receiptWithinMs: ANSWER_WITHIN_MS,
    });
    this.learner = learner;
    this.#random = random.split();
    this.#signal = signal;
    this.finish();
    this.start();
  }

  act(): Promise<void> {
    this.#strokes += 1;
    const id = `${this.learner.userId}-${this.#strokes}`;
    this.elements.changed([strokeOf(this.#random, id, STROKE_BYTES)]);
    // By its receipt, or because the board that was read has it.
    return until(() => this.isDone, this.#signal);
  }

  isSeenBy(room: readonly Actor[]): boolean {
    const id = `${this.learner.userId}-${this.#strokes}`;
    return room.every((other) => !(other instanceof BoardActor) || other.elements.shown.has(id));
  }
}

/** Calls that are repeated until they are done, as the browser repeats them. */
abstract class CallingActor {
  readonly learner: SeatedLearner;
  readonly #caller: Caller;
  readonly #signal: AbortSignal;
  readonly failures: string[] = [];

  constructor({ learner, port, signal }: ActorOptions) {
    this.learner = learner;
    this.#signal = signal;
    this.#caller = {
      baseUrl: `http://127.0.0.1:${port}`,
      token: learner.token,
      answerWithinMs: ANSWER_WITHIN_MS,
    };
  }

  /** Nobody else sees it. */
  isSeenBy(): boolean {
    return true;
  }

  protected call<Reply>(path: string, body?: object): Promise<Reply> {
    return callApi<Reply>(this.#caller, 'POST', path, body);
  }

  protected async untilDone<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        this.#signal.throwIfAborted();
        const refused = error instanceof RefusedCall ? error : null;
        if (refused && !PASSING.includes(refused.status)) this.failures.push(refused.message);
        const waitMs = RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] ?? 0;
        await delay(Math.max(waitMs, refused?.retryAfterMs ?? 0), undefined, {
          signal: this.#signal,
        });
      }
    }
  }
}

/** So many that some of them are at another process than the press: each is with even chance. */
const TABS = 4;

/** Takes a break and goes on, in turns: each press has an id, by which it is made once. */
export class TimerActor extends CallingActor implements Actor {
  readonly operation = 'timer';
  /** What was answered last. */
  clock: FocusClock | null = null;
  presses = 0;
  readonly tabs: readonly Tab[];
  readonly #signal: AbortSignal;

  constructor(options: ActorOptions) {
    super(options);
    const { learner, port, random } = options;
    this.#signal = options.signal;
    this.tabs = Array.from(
      { length: TABS },
      () => new Tab({ learner, port, random: random.split() }),
    );
  }

  async act(): Promise<void> {
    if (this.clock === null) {
      await until(() => this.tabs.every(({ isOpen }) => isOpen), this.#signal);
    }
    const move = this.clock?.status === 'pause' ? 'resume' : 'pause';
    const { userId, roomId } = this.learner;
    const body = { userId, roomId, press: { id: randomUUID(), atMs: Date.now() } };
    const { clock } = await this.untilDone(() =>
      this.call<{ clock: FocusClock }>(`/api/timer/${move}`, body),
    );
    this.presses += 1;
    this.clock = clock;
  }

  /** In the tabs of the learner. */
  override isSeenBy(): boolean {
    const { clock } = this;
    return clock === null || this.tabs.every((tab) => tab.shows(clock));
  }

  stop(): void {
    for (const tab of this.tabs) tab.stop();
  }
}

/** Leaves the room and comes back, in turns. */
export class EnterActor extends CallingActor implements Actor {
  readonly operation = 'enter';
  isSeated = true;

  async act(): Promise<void> {
    const { userId, roomId } = this.learner;
    const path = this.isSeated
      ? `leave?userId=${userId}`
      : `enter?userId=${userId}&roomId=${roomId}`;
    await this.untilDone(() => this.call(`/api/study-rooms/${path}`));
    this.isSeated = !this.isSeated;
  }

  stop(): void {}
}

/** Gets a token and joins the media of the room through our own port. */
export class MediaActor extends CallingActor implements Actor {
  readonly operation = 'media';
  /** Rooms that the media server let this learner into. */
  readonly joined: string[] = [];
  readonly #port: number;
  #socket: WebSocket | undefined;

  constructor(options: ActorOptions) {
    super(options);
    this.#port = options.port;
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  async act(): Promise<void> {
    this.stop();
    const { userId, roomId } = this.learner;
    await this.untilDone(async () => {
      const body = { roomName: String(roomId), identity: String(userId) };
      const { token } = await this.call<{ token: string }>('/api/livekit/token', body);
      await this.#join(token);
    });
  }

  stop(): void {
    this.#socket?.terminate();
  }

  async #join(token: string): Promise<void> {
    const query = `access_token=${token}&auto_subscribe=1&protocol=16&sdk=js&version=2.0.0`;
    const socket = new WebSocket(`ws://127.0.0.1:${this.#port}/livekit/rtc?${query}`, {
      handshakeTimeout: ANSWER_WITHIN_MS,
    });
    this.stop();
    this.#socket = socket;
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    try {
      const [data] = await once(socket, 'message', { signal });
      const { message } = SignalResponse.fromBinary(data as Buffer);
      if (message.case !== 'join') throw new Error(`${message.case} in place of join`);
      this.joined.push(message.value.room?.name ?? '');
    } catch (error) {
      socket.on('error', () => undefined);
      socket.terminate();
      throw error;
    }
    socket.on('error', () => undefined);
  }
}

/** The learners of two rooms, two of each operation that others hear in each. */
export function castOf(
  learners: readonly SeatedLearner[],
  options: Omit<ActorOptions, 'learner'>,
): Actor[] {
  const actors = [ChatActor, BoardActor, TimerActor, EnterActor, MediaActor, ChatActor, BoardActor];
  return learners.map((learner, index) => {
    const Made = actors[index % actors.length] ?? ChatActor;
    return new Made({ ...options, learner, random: options.random.split() });
  });
}

/** Learners of a room. */
export const MEMBERS = 7;
