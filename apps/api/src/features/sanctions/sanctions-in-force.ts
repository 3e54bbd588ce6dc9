import type { RoomId, SanctionKind, UserId } from '@mogakgong/contract';
import { type Clock, READING_OVERLAP_MS } from '../../platform/clock/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { LearnersSanctions, SanctionInForce } from './in-force-queries.ts';
import type { SanctionsRepository } from './sanctions.repository.ts';

type Effect = (userIds: readonly UserId[]) => Promise<void>;

/** Sanctions that bar an account from everything. */
const SUSPENDING: ReadonlySet<SanctionKind> = new Set(['suspend', 'ban']);

/**
 * The sanctions of the site that are in force now. Kept in memory, so that every request and message can be
 * checked without a query, and a sanction applies at once to tokens issued earlier.
 */
export class SanctionsInForce {
  readonly #repository: SanctionsRepository;
  readonly #clock: Clock;
  readonly #inForce = new Map<UserId, readonly SanctionInForce[]>();
  /** The last known change of each learner within the overlap of readings. */
  readonly #changedAtMs = new Map<UserId, number>();
  readonly #effects: Effect[] = [];
  readonly #newsListeners: ((userId: UserId) => void)[] = [];
  #learntUntilMs: number | null = null;
  /** Learners whose effects are to be tried again: one failed, or this process has just started. */
  #pending = new Set<UserId>();
  /** Serialises readings: an older result must not replace a newer one. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(repository: SanctionsRepository, clock: Clock) {
    this.#repository = repository;
    this.#clock = clock;
  }

  /** The learner's sanction of this kind that ends last. */
  find(userId: UserId, kind: SanctionKind): SanctionInForce | undefined {
    return this.#findAll(userId)
      .filter((sanction) => sanction.kind === kind)
      .toSorted((a, b) => (b.endsAtMs ?? Infinity) - (a.endsAtMs ?? Infinity))[0];
  }

  /** Whether an account is suspended or banned. */
  isSuspended(userId: UserId): boolean {
    return this.#findAll(userId).some(({ kind }) => SUSPENDING.has(kind));
  }

  /** Whether others read nothing that this learner writes. */
  isMuted(userId: UserId): boolean {
    return this.find(userId, 'muteChat') !== undefined;
  }

  /**
   * Refuses text that others would read, in the chat or elsewhere, from a muted learner.
   * @throws ApiError `chatMuted` or `textMuted`, with the remaining time.
   */
  refuseMuted(userId: UserId, row: 'chatMuted' | 'textMuted'): void {
    const mute = this.find(userId, 'muteChat');
    if (!mute) return;
    const leftMs = mute.endsAtMs === null ? null : mute.endsAtMs - this.#clock.now().getTime();
    throw new ApiError(row, leftMs === null ? {} : { retryAfterSeconds: leftMs / 1_000 });
  }

  /** The rooms that a learner was removed from and cannot enter again yet. */
  closedRoomsOf(userId: UserId): RoomId[] {
    return this.#findAll(userId).flatMap(({ kind, roomId }) =>
      kind === 'remove' && roomId !== null ? roomId : [],
    );
  }

  /**
   * Calls `effect` when learners' sanctions may have changed, and again each second for half a minute after a
   * change, for work that was pending; after a failure until it succeeds. It must be repeatable.
   */
  onChange(effect: Effect): void {
    this.#effects.push(effect);
  }

  /** Calls `listener` once in each process after a change for a learner. */
  onNews(listener: (userId: UserId) => void): void {
    this.#newsListeners.push(listener);
  }

  /** Reads a learner's sanctions and applies them in this process. */
  async refresh(userId: UserId): Promise<void> {
    await this.#read(() => this.#repository.findInForceOf([userId], this.#clock.now()));
    await this.#takeEffect([userId]);
  }

  /**
   * Repeated: reads changes, including those at other processes or before this one ran, and notices sanctions
   * that have ended. The first time it reads everything; also when the clock went back, since one that was ahead may
   * have ended sanctions before their time.
   */
  async learn(): Promise<void> {
    const now = this.#clock.now();
    const untilMs = now.getTime() - READING_OVERLAP_MS;
    const isFirst = this.#learntUntilMs === null;
    const since = (this.#learntUntilMs ?? Infinity) > untilMs ? null : this.#learntUntilMs;
    const found = await this.#read(() =>
      since === null
        ? this.#findEverything(now)
        : this.#repository.findChangedSince(new Date(since), now),
    );
    this.#learntUntilMs = untilMs;
    this.#forgetChangesBefore(untilMs);
    const ended = this.#removeEnded(now.getTime());
    await this.#takeEffect([...new Set([...found, ...ended, ...this.#pending])]);
    // When a process starts, nothing can take effect yet.
    if (isFirst) this.#pending = new Set(found);
  }

  /** All sanctions in force, and the learners who have none any more. */
  async #findEverything(now: Date): Promise<readonly LearnersSanctions[]> {
    const all = await this.#repository.findAllInForce(now);
    const found = new Set(all.map(({ userId }) => userId));
    const others = [...this.#inForce.keys()].filter((userId) => !found.has(userId));
    return [...all, ...(await this.#repository.findInForceOf(others, now))];
  }

  #findAll(userId: UserId): readonly SanctionInForce[] {
    const all = this.#inForce.get(userId);
    if (all === undefined) return [];
    const nowMs = this.#clock.now().getTime();
    return all.filter(({ endsAtMs }) => endsAtMs === null || endsAtMs > nowMs);
  }

  #read(ask: () => Promise<readonly LearnersSanctions[]>): Promise<UserId[]> {
    const isFirst = this.#learntUntilMs === null;
    const reading = this.#reading
      // The failure belongs to its own caller; this reading only waits for its turn.
      .catch(() => undefined)
      .then(ask)
      .then((found) => {
        for (const learner of found) this.#learn(learner, isFirst);
        return found.map(({ userId }) => userId);
      });
    this.#reading = reading;
    return reading;
  }

  #learn({ userId, inForce, changedAtMs }: LearnersSanctions, isFirst: boolean): void {
    if (inForce.length === 0) this.#inForce.delete(userId);
    else this.#inForce.set(userId, inForce);
    const isNews = (this.#changedAtMs.get(userId) ?? 0) < changedAtMs;
    this.#changedAtMs.set(userId, changedAtMs);
    if (isNews && !isFirst) this.#tell(userId);
  }

  #tell(userId: UserId): void {
    for (const listener of this.#newsListeners) listener(userId);
  }

  #forgetChangesBefore(ms: number): void {
    for (const [userId, changedAtMs] of this.#changedAtMs) {
      if (changedAtMs < ms) this.#changedAtMs.delete(userId);
    }
  }

  /** @returns the learners with a sanction that has ended by the clock. */
  #removeEnded(nowMs: number): UserId[] {
    const learners: UserId[] = [];
    for (const [userId, all] of this.#inForce) {
      const left = all.filter(({ endsAtMs }) => endsAtMs === null || endsAtMs > nowMs);
      if (left.length === all.length) continue;
      if (left.length === 0) this.#inForce.delete(userId);
      else this.#inForce.set(userId, left);
      this.#tell(userId);
      learners.push(userId);
    }
    return learners;
  }

  async #takeEffect(userIds: readonly UserId[]): Promise<void> {
    if (userIds.length === 0) return;
    for (const userId of userIds) this.#pending.add(userId);
    await Promise.all(this.#effects.map((effect) => effect(userIds)));
    for (const userId of userIds) this.#pending.delete(userId);
  }
}
