import type { UserId } from '@mogakgong/contract';
import { compareInRounds, type IsDue } from '../../platform/backplane/index.ts';
import { arrivalBatches, createBatcher } from '../../platform/batch/index.ts';
import type { PlatformContext } from '../../platform/context/index.ts';
import type { BlocksRepository, LearnerBlocks } from './blocks.repository.ts';

const CHANNEL = 'blocks';
/** Learners per query. */
const BATCH_SIZE = 1_000;

const NOBODY: ReadonlySet<UserId> = new Set();

/** Called when `userId` is connected here and their block with `otherId` changed. */
type PairListener = (userId: UserId, otherId: UserId) => void;

interface BlockedPairsParts extends Pick<PlatformContext, 'backplane' | 'jobs' | 'logger'> {
  readonly repository: Pick<BlocksRepository, 'findBlocks'>;
}

/** A change of a block, as sent between processes. */
interface ChangedBlock {
  readonly blockerId: UserId;
  readonly blockedId: UserId;
  readonly isBlocked: boolean;
}

/** A learner with a connection to this process. */
interface Watched {
  connections: number;
  /** Null until first loaded. */
  known: LearnerBlocks | null;
  /** The latest query; the results of earlier ones are outdated. */
  asked: Promise<void> | null;
}

/**
 * The blocked pairs of the learners connected to this process, in either direction, in memory: every delivery
 * asks. A process that changes a block tells all; they query the database, and a new block applies from the
 * event on.
 */
export class BlockedPairs {
  readonly #parts: BlockedPairsParts;
  readonly #watched = new Map<UserId, Watched>();
  /** For each learner, anywhere on the site, the learners connected here with a block between the two. */
  readonly #apartFrom = new Map<UserId, Set<UserId>>();
  readonly #listeners: PairListener[] = [];
  readonly #lookUp: (userId: UserId) => Promise<LearnerBlocks>;

  constructor(parts: BlockedPairsParts) {
    this.#parts = parts;
    const { repository, backplane } = parts;
    this.#lookUp = createBatcher(
      (userIds) => repository.findBlocks(userIds),
      BATCH_SIZE,
      arrivalBatches,
    );
    backplane.subscribe(CHANNEL, (change: ChangedBlock) => this.#receive(change));
    compareInRounds<UserId>(parts, {
      name: 'blocks of the connected',
      channelOf: () => CHANNEL,
      compare: (isDue) => this.#compare(isDue),
    });
  }

  /** Calls `listener` for each connected learner when their view of another changes. */
  onChange(listener: PairListener): void {
    this.#listeners.push(listener);
  }

  /** Tells every process about a new or lifted block. */
  publish(change: ChangedBlock): void {
    this.#parts.backplane.publish(CHANNEL, change);
  }

  /** Keeps a learner's blocks in memory from now on; each call needs one of `unwatch`. */
  watch(userId: UserId): void {
    const watched = this.#watched.get(userId);
    if (watched) {
      watched.connections += 1;
      return;
    }
    this.#watched.set(userId, { connections: 1, known: null, asked: null });
  }

  unwatch(userId: UserId): void {
    const watched = this.#watched.get(userId);
    if (!watched) return;
    watched.connections -= 1;
    if (watched.connections > 0) return;
    this.#watched.delete(userId);
    for (const otherId of watched.known?.apart ?? []) this.#removeApart(otherId, userId);
  }

  /**
   * Resolves when the blocks of a watched learner are loaded, or the learner is no longer watched. A failure
   * rejects all waiting calls.
   */
  async ready(userId: UserId): Promise<void> {
    for (;;) {
      const watched = this.#watched.get(userId);
      if (!watched || watched.known !== null) return;
      await (watched.asked ?? this.#ask(userId, watched));
    }
  }

  /** The blocks of a watched learner, once `ready`. */
  of(userId: UserId): LearnerBlocks {
    return this.#watched.get(userId)?.known ?? { blocks: NOBODY, apart: NOBODY };
  }

  /** The blocks of any learner, from the database. */
  find(userId: UserId): Promise<LearnerBlocks> {
    return this.#lookUp(userId);
  }

  /** The learners watched here with a block between them and this one. */
  apartFrom(userId: UserId): ReadonlySet<UserId> {
    return this.#apartFrom.get(userId) ?? NOBODY;
  }

  #receive({ blockerId, blockedId, isBlocked }: ChangedBlock): void {
    for (const [userId, otherId] of [
      [blockerId, blockedId],
      [blockedId, blockerId],
    ] as const) {
      const watched = this.#watched.get(userId);
      if (!watched) continue;
      if (isBlocked && watched.known) {
        const { blocks, apart } = watched.known;
        const isBlocker = userId === blockerId;
        this.#learn(userId, watched, {
          blocks: isBlocker ? new Set([...blocks, otherId]) : blocks,
          apart: new Set([...apart, otherId]),
        });
      }
      this.#ask(userId, watched).catch((error: unknown) =>
        this.#parts.logger.error({ err: error, userId }, 'could not look up blocks'),
      );
    }
  }

  #ask(userId: UserId, watched: Watched): Promise<void> {
    const asked = this.#lookUp(userId).then(
      (found) => {
        if (watched.asked === asked) this.#learn(userId, watched, found);
      },
      (error: unknown) => {
        if (watched.asked === asked) watched.asked = null;
        throw error;
      },
    );
    watched.asked = asked;
    return asked;
  }

  /** Compares the blocks of the due learners with the database, in case an event was lost. */
  async #compare(isDue: IsDue<UserId>): Promise<void> {
    const userIds = [...this.#watched.keys()].filter(isDue);
    if (userIds.length === 0) return;
    const before = userIds.map((userId) => {
      const watched = this.#watched.get(userId);
      return { userId, watched, asked: watched?.asked };
    });
    const found = await this.#parts.repository.findBlocks(userIds);
    for (const [index, { userId, watched, asked }] of before.entries()) {
      const blocks = found[index];
      // A learner queried again meanwhile has a newer result.
      if (watched?.known && watched.asked === asked && blocks) this.#learn(userId, watched, blocks);
    }
  }

  #learn(userId: UserId, watched: Watched, next: LearnerBlocks): void {
    if (this.#watched.get(userId) !== watched) return;
    const before = watched.known;
    watched.known = next;
    for (const otherId of next.apart) {
      const apart = this.#apartFrom.get(otherId);
      if (apart) apart.add(userId);
      else this.#apartFrom.set(otherId, new Set([userId]));
    }
    if (before === null) return;
    for (const otherId of before.apart.union(next.apart)) {
      if (!next.apart.has(otherId)) this.#removeApart(otherId, userId);
      const isSame =
        before.apart.has(otherId) === next.apart.has(otherId) &&
        before.blocks.has(otherId) === next.blocks.has(otherId);
      if (isSame) continue;
      for (const listener of this.#listeners) listener(userId, otherId);
    }
  }

  #removeApart(otherId: UserId, userId: UserId): void {
    const apart = this.#apartFrom.get(otherId);
    apart?.delete(userId);
    if (apart?.size === 0) this.#apartFrom.delete(otherId);
  }
}
