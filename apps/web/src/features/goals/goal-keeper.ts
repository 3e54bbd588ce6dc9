import type { DatedGoal, GoalPayload, TodayGoal } from '@mogakgong/contract';

interface GoalKeeperParts {
  readonly load: () => Promise<DatedGoal>;
  readonly save: (goal: GoalPayload) => Promise<DatedGoal>;
  readonly onFailed: (error: unknown) => void;
}

export interface GoalSnapshot {
  /** Null until it is known. */
  readonly goal: DatedGoal | null;
  readonly hasFailed: boolean;
}

/**
 * The learner's goal of today: a change shows at once and is saved, one save at a time, the last one
 * at the end; what could not be saved is taken back. Knows no framework.
 */
export class GoalKeeper {
  readonly #parts: GoalKeeperParts;
  readonly #listeners = new Set<() => void>();
  #snapshot: GoalSnapshot = { goal: null, hasFailed: false };
  /** What the server has. */
  #stored: DatedGoal | null = null;
  /** What is to be saved once the save under way has ended. */
  #next: DatedGoal | null = null;
  #isSaving = false;

  constructor(parts: GoalKeeperParts) {
    this.#parts = parts;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): GoalSnapshot => this.#snapshot;

  /** Asks the server; a change that is being saved goes before its answer. */
  async load(): Promise<void> {
    try {
      this.take(await this.#parts.load());
    } catch {
      if (this.#stored === null) this.#show({ goal: null, hasFailed: true });
    }
  }

  /** Takes what the server says, unless the learner is changing it right now. */
  take(goal: DatedGoal): void {
    this.#store(goal);
    if (!this.#isSaving) this.#show({ goal: this.#stored, hasFailed: false });
  }

  /** Changes the goal that is shown. */
  change(change: Partial<TodayGoal>): void {
    const { goal } = this.#snapshot;
    if (goal === null) return;
    const changed = { ...goal, ...change };
    this.#next = changed;
    this.#show({ goal: changed, hasFailed: false });
    if (!this.#isSaving) void this.#saveAll();
  }

  async #saveAll(): Promise<void> {
    this.#isSaving = true;
    try {
      while (this.#next !== null) {
        const goal = this.#next;
        this.#next = null;
        this.#store(await this.#parts.save(goal));
      }
    } catch (error) {
      this.#next = null;
      this.#parts.onFailed(error);
    } finally {
      this.#isSaving = false;
      this.#show({ goal: this.#stored, hasFailed: false });
    }
  }

  /** Answers and notices overtake each other: an older one says nothing. */
  #store(goal: DatedGoal): void {
    if (this.#stored === null || goal.version >= this.#stored.version) this.#stored = goal;
  }

  #show(snapshot: GoalSnapshot): void {
    this.#snapshot = snapshot;
    for (const listener of [...this.#listeners]) listener();
  }
}
