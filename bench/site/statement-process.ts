import type { RoomId, UserId } from '@mogakgong/contract';
import { createBlocksRepository } from '../../apps/api/src/features/blocks/blocks.repository.ts';
import { createChatRepository } from '../../apps/api/src/features/chat/chat.repository.ts';
import { createFocusRepository, visitsOfSeats } from '../../apps/api/src/features/focus/index.ts';
import { createRoomsRepository, RoomsService } from '../../apps/api/src/features/rooms/index.ts';
import { createTitlesRepository } from '../../apps/api/src/features/titles/titles.repository.ts';
import { ROUNDS } from '../../apps/api/src/platform/backplane/lost-events.ts';
import { systemClock } from '../../apps/api/src/platform/clock/index.ts';
import { createDatabase } from '../../apps/api/src/platform/database/index.ts';
import { createLogger } from '../../apps/api/src/platform/logger/index.ts';
import type { SeatedLearner } from '../support/product.ts';

/** The intervals of the jobs: signs of life, titles, and the rounds of comparing. */
const SIGNS_EVERY_MS = 10_000;
const TITLES_EVERY_MS = 20_000;
const ROUND_MS = 2_000;
const POOL = 3;

/**
 * The statements of an API process whose learners are only there, without the process: signs of life, whether
 * they are connected, a look for the focusing ones, and the comparison in rounds.
 */
export class StatementProcess {
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #destroy: () => Promise<void>;
  failures = 0;

  constructor(databaseUrl: string, learners: readonly SeatedLearner[]) {
    const logger = createLogger('fatal');
    const connection = { connectionString: databaseUrl };
    const database = createDatabase({ connection, logger, poolSize: POOL });
    this.#destroy = () => database.destroy();
    const clock = systemClock;
    const repository = createRoomsRepository(database, visitsOfSeats);
    const rooms = new RoomsService({
      repository,
      backplane: { processes: 1 },
      clock,
      capacity: 20,
    });
    const focus = createFocusRepository(database);
    const titles = createTitlesRepository(database);
    const chats = createChatRepository(database);
    const blocks = createBlocksRepository(database);
    const userIds: UserId[] = learners.map(({ userId }) => userId);
    const roomIds: RoomId[] = [...new Set(learners.map(({ roomId }) => roomId))];

    this.#repeat(SIGNS_EVERY_MS, async () => {
      const at = clock.now();
      await rooms.recordSigns(userIds.map((userId) => ({ userId, at })));
      await rooms.setConnected(userIds, true);
      await focus.recordWatch(clock.now());
    });
    this.#repeat(TITLES_EVERY_MS, () => titles.findFocusing(userIds));
    let round = 0;
    this.#repeat(ROUND_MS, async () => {
      round = (round + 1) % ROUNDS;
      const isDue = (id: number) => id % ROUNDS === round;
      const [dueUsers, dueRooms] = [userIds.filter(isDue), roomIds.filter(isDue)];
      await Promise.all([
        rooms.findSeats(dueUsers),
        blocks.findBlocks(dueUsers),
        rooms.findRosterNumbers(dueRooms),
        chats.findLastNumbers(dueRooms.map((roomId) => ({ roomId, epoch: 1 }))),
      ]);
    });
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#underWay);
    await this.#destroy();
  }

  /** Not all processes of a site do it in the same moment. */
  #repeat(everyMs: number, work: () => Promise<unknown>): void {
    let isRunning = false;
    const run = () => {
      if (isRunning) return;
      isRunning = true;
      const done = work()
        .catch(() => {
          // Counted: a database that is too slow refuses, and the next turn asks again.
          this.failures += 1;
        })
        .finally(() => {
          isRunning = false;
          this.#underWay.delete(done);
        });
      this.#underWay.add(done);
    };
    const first = setTimeout(() => {
      run();
      this.#timers.push(setInterval(run, everyMs));
    }, Math.random() * everyMs);
    this.#timers.push(first);
  }
}
