import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeatedLearner } from '../support/product.ts';

/** The actions of a learner in a room, in seconds between two of the same; each spread evenly over the learners. */
export const HABITS = {
  /** One line in two minutes. */
  message: 120,
  /** A break of five minutes after 25 minutes of focus: two presses in half an hour. */
  press: 900,
  /** A visit lasts an hour; who leaves comes back after `AWAY_SECONDS`. */
  visit: 3_600,
  /** `RELOAD_EVERY_MS` of the page's `shared/today/today.ts`. */
  today: 60,
  /** `STALE_AFTER_MS` of the page's `shared/api/profile.ts`. */
  profile: 300,
} as const;

export type Habit = keyof typeof HABITS;

const AWAY_SECONDS = 10;
const TICK_MS = 20;
const CONTENT =
  'A line of a usual length, as somebody writes it beside their books, without haste.';

/** The way of a learner to the site. */
export interface Way {
  send(text: string): void;
  /** The reply of the API; throws when it refuses. */
  call(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown>;
  /** Connects with a new token in place of one that is about to expire. */
  readonly renew?: (token: string) => Promise<void>;
  close(): void;
}

interface Player extends SeatedLearner {
  readonly way: Way;
}

export type Done = Readonly<Record<Habit | 'heartBeat' | 'failed' | 'late', number>>;

const frame = (command: string, headers: readonly string[], body = '') =>
  `${[command, ...headers].join('\n')}\n\n${body}\0`;

/** The first frame of a page, which sends the rest once the server has answered it. */
export const connectFrame = (token: string) =>
  frame('CONNECT', [
    'accept-version:1.2',
    'host:localhost',
    'heart-beat:4000,4000',
    `Authorization:Bearer ${token}`,
  ]);

/** As a page does in a room, except the board, which it subscribes when it is opened. */
export const subscribeFrames = ['/topic/messages', '/user/queue/notices', '/topic/presence'].map(
  (destination, id) =>
    frame('SUBSCRIBE', [`id:sub-${id}`, `destination:${destination}`, `receipt:s${id}`]),
);
/** Of the last of these frames. */
export const LAST_RECEIPT = `receipt-id:s${subscribeFrames.length - 1}`;

/** Lets learners do all of the above, in turns, for as long as it runs. */
export class Habits {
  readonly #players: Player[] = [];
  readonly #rooms = new Map<number, number | null>();
  readonly #paused = new Set<number>();
  #done: Record<keyof Done, number> = {
    ...{ message: 0, press: 0, visit: 0, today: 0, profile: 0 },
    ...{ heartBeat: 0, failed: 0, late: 0 },
  };
  #isRunning = true;
  readonly #failures = new Map<string, number>();

  constructor(heartBeatSeconds: number) {
    void this.#repeat(this.#players, heartBeatSeconds, async ({ way }) => {
      way.send('\n');
      this.#done.heartBeat += 1;
    });
  }

  add(learner: SeatedLearner, way: Way): void {
    this.#players.push({ ...learner, way });
    this.#rooms.set(learner.userId, learner.roomId);
  }

  /**
   * From now on some do more than being there.
   * @param lastRoomId the learners of the rooms up to this one.
   * @param pace how many times as often as `HABITS` says.
   */
  start(lastRoomId: number, pace = 1): void {
    const active = this.#players.filter(({ roomId }) => roomId <= lastRoomId);
    const habit = (name: Habit, act: (player: Player, roomId: number) => Promise<unknown>) =>
      void this.#repeat(active, HABITS[name] / pace, async (player) => {
        const roomId = this.#rooms.get(player.userId);
        if (roomId === null || roomId === undefined) return;
        await act(player, roomId);
        this.#done[name] += 1;
      });
    habit('message', async ({ userId, way }, roomId) =>
      way.send(
        frame(
          'SEND',
          ['destination:/pub/chat', `client-id:${randomUUID()}`],
          JSON.stringify({ senderId: userId, roomId, content: CONTENT }),
        ),
      ),
    );
    habit('press', async ({ userId, way }, roomId) => {
      const isPaused = this.#paused.delete(userId);
      if (!isPaused) this.#paused.add(userId);
      const press = { id: randomUUID(), atMs: Date.now() };
      const path = `/api/timer/${isPaused ? 'resume' : 'pause'}`;
      await way.call('POST', path, { userId, roomId, press });
    });
    habit('visit', async ({ userId, way }) => {
      this.#rooms.set(userId, null);
      await way.call('POST', `/api/study-rooms/leave?userId=${userId}`);
      this.#paused.delete(userId);
      await delay(AWAY_SECONDS * 1_000);
      if (!this.#isRunning) return;
      const entered = await way.call('POST', `/api/study-rooms/enter?userId=${userId}`);
      this.#rooms.set(userId, (entered as { roomId: number }).roomId);
    });
    habit('today', ({ way }) => way.call('GET', '/api/user/stat/today-study-time'));
    habit('profile', ({ way }) => way.call('GET', '/api/user/profile'));
  }

  /** A learner's page has a new token. */
  async renew({ userId, token }: SeatedLearner): Promise<void> {
    await this.#players.find((player) => player.userId === userId)?.way.renew?.(token);
  }

  /** Counts of the actions since the last call, and the most frequent failure. */
  takeDone(): { readonly done: Done; readonly failure: string } {
    const done = this.#done;
    this.#done = Object.fromEntries(Object.keys(done).map((key) => [key, 0])) as typeof done;
    const [failure] = [...this.#failures].sort((a, b) => b[1] - a[1]);
    this.#failures.clear();
    return { done, failure: failure?.[0] ?? '' };
  }

  stop(): void {
    this.#isRunning = false;
    for (const { way } of this.#players) way.close();
  }

  /** Each player once in so many seconds; how far it fell behind is counted as late, in learners. */
  async #repeat(
    players: readonly Player[],
    everySeconds: number,
    act: (player: Player) => Promise<unknown>,
  ): Promise<void> {
    let due = 0;
    let next = Math.floor(Math.random() * Math.max(1, players.length));
    let lastMs = performance.now();
    while (this.#isRunning) {
      await delay(TICK_MS);
      const nowMs = performance.now();
      const atOnce = players.length / everySeconds;
      due += (atOnce * (nowMs - lastMs)) / 1_000;
      lastMs = nowMs;
      // A process that falls behind by more than a second does less than it should, instead of all at once.
      if (due > Math.max(1, atOnce)) {
        this.#done.late += Math.floor(due - Math.max(1, atOnce));
        due = Math.max(1, atOnce);
      }
      for (; due >= 1; due -= 1) {
        const player = players[next++ % players.length];
        if (player) act(player).catch((error: unknown) => this.#fail(error));
      }
    }
  }

  #fail(error: unknown): void {
    if (!this.#isRunning) return;
    this.#done.failed += 1;
    const text = String(error).slice(0, 200);
    this.#failures.set(text, (this.#failures.get(text) ?? 0) + 1);
  }
}
