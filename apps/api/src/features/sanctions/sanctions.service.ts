import { createHmac } from 'node:crypto';
import {
  type AutomaticRule,
  chatContent,
  DAY_MS,
  HOUR_MS,
  type OwnSanction,
  REMOVED_HOURS,
  type RoomId,
  type SanctionKind,
  type UserId,
} from '@mogakgong/contract';
import type { ProcessContext } from '../../platform/context/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import { readSiteKeys } from '../../platform/sealed-values/index.ts';
import { automaticSanctions, SOUND_REMEMBERED_MS } from './automatic-sanctions.ts';
import {
  type AppealAnswer,
  answerAppeal,
  type DecidedCase,
  insertSanction,
  liftAutomatic,
  liftSanction,
  storeAppeal,
} from './decisions.ts';
import type { SanctionsRepository, StoredSanction } from './sanctions.repository.ts';
import { SanctionsInForce } from './sanctions-in-force.ts';

const CHANNEL = 'sanctions';
/** How long a sanction is kept after its end, and a ban of a deleted account. */
const KEPT_MS = 365 * DAY_MS;
const REASON_OF_DELETED = '탈퇴한 계정에서 받은 이용정지가 이 이메일에 이어져요.';

interface SanctionsParts extends Omit<ProcessContext, 'env' | 'limits' | 'metrics'> {
  readonly repository: SanctionsRepository;
}

/** A decision of a moderator about a learner. */
export interface SanctionOrder {
  readonly userId: UserId;
  readonly kind: SanctionKind;
  /** The text for the learner: it must not reveal the reporter. */
  readonly reason: string;
  /** Its length; without it until it is lifted. A warning ends at once, a removal after a day. */
  readonly days?: number;
  readonly caseId?: number | null;
  /** For `remove` the room that cannot be entered again; the learner is told. */
  readonly roomId?: RoomId | null;
  readonly decidedBy: UserId;
}

interface AutomaticOrder {
  readonly userId: UserId;
  readonly roomId: RoomId | null;
  readonly caseId?: number | null;
}

/**
 * Sanctions against learners who break the rules, and those in force now. A change is stored first; its
 * effects follow the commit, in every process. If a caller passes a transaction, it calls `announce` after
 * the commit; without `announce` changes take effect within a second.
 */
export class SanctionsService {
  readonly #parts: SanctionsParts;
  /** The sanctions in force. */
  readonly inForce: SanctionsInForce;

  constructor(parts: SanctionsParts) {
    this.#parts = parts;
    const { repository, backplane, clock, logger } = parts;
    this.inForce = new SanctionsInForce(repository, clock);
    backplane.subscribe(CHANNEL, (userId: UserId) => {
      this.inForce
        .refresh(userId)
        // The repeated work finds the change.
        .catch((error: unknown) => logger.warn({ err: error, userId }, 'a sanction is late'));
    });
  }

  /** Applies a learner's stored sanctions in every process. */
  announce(userId: UserId): void {
    this.#parts.backplane.publish(CHANNEL, userId);
  }

  /**
   * Stores the decision of a moderator.
   * @param transaction if given, its owner calls `announce` after the commit.
   * @returns the id of the sanction.
   */
  async impose(order: SanctionOrder, transaction?: Database): Promise<number | null> {
    const { roomId = null } = order;
    return this.#store({ ...order, roomId, rule: null, lastsMs: durationMs(order) }, transaction);
  }

  /** Stores an automatic sanction, like `impose`; null if it is already in force. */
  async imposeByRule(
    rule: AutomaticRule,
    order: AutomaticOrder,
    transaction?: Database,
  ): Promise<number | null> {
    const { kind, lastsMs, reason } = automaticSanctions[rule];
    const parts = { ...order, kind, lastsMs, reason, rule, decidedBy: null };
    const id = await this.#store(parts, transaction);
    if (id !== null) this.#parts.logger.warn({ ...order, rule, kind }, 'an automatic sanction');
    return id;
  }

  /** Warns a learner for publishing something other than a camera, and suspends them after a warning. */
  async sanctionSound(order: AutomaticOrder): Promise<void> {
    const since = new Date(this.#parts.clock.now().getTime() - SOUND_REMEMBERED_MS);
    const wasWarned = await this.#parts.repository.hasByRule(order.userId, 'sound', since);
    await this.imposeByRule(wasWarned ? 'soundAgain' : 'sound', order);
  }

  /** Mutes a learner for flooding the chat. */
  async sanctionFlood(order: AutomaticOrder): Promise<void> {
    await this.imposeByRule('flood', order);
  }

  /**
   * Ends a sanction early.
   * @param by null for the product itself.
   * @throws ApiError `sanctionNotFound` if it is not in force now.
   */
  async lift(lifting: { readonly sanctionId: number; readonly by: UserId | null }): Promise<void> {
    const { sanctionId, by } = lifting;
    const now = this.#parts.clock.now();
    const lifted = await this.#commit((db) => liftSanction(db, sanctionId, by, now));
    if (!lifted) throw new ApiError('sanctionNotFound');
  }

  /**
   * Ends the automatic sanctions of a case: a moderator has decided, and their decision replaces them.
   * @param transaction of the decision, which has locked the case: no further sanction can be imposed for it.
   *   Its owner calls `announce` after the commit.
   */
  async liftAutomatic(decided: DecidedCase, transaction: Database): Promise<void> {
    await liftAutomatic(transaction, decided, this.#parts.clock.now());
  }

  /**
   * Answers an appeal, and lifts the sanction if the appeal is granted.
   * @throws ApiError `sanctionNotFound` if no appeal waits for an answer.
   */
  async answerAppeal(decision: AppealAnswer): Promise<void> {
    const now = this.#parts.clock.now();
    const answered = await this.#commit((db) => answerAppeal(db, decision, now));
    if (!answered) throw new ApiError('sanctionNotFound');
  }

  /** A stored sanction; null if missing. */
  find(sanctionId: number): Promise<StoredSanction | null> {
    return this.#parts.repository.findOne(sanctionId);
  }

  /** The stored sanctions of a learner that matter most, latest first. */
  listOf(userId: UserId): Promise<StoredSanction[]> {
    return this.#parts.repository.findOf(userId, this.#parts.clock.now());
  }

  /** Appeals that wait for an answer. */
  listAppeals(): Promise<StoredSanction[]> {
    return this.#parts.repository.findAppeals(this.#parts.clock.now());
  }

  /** The sanctions of a learner in the form shown to them, latest first. */
  async findOwn(userId: UserId): Promise<OwnSanction[]> {
    return (await this.listOf(userId)).map(toOwnSanction);
  }

  /** @throws ApiError `sanctionNotFound`. */
  async acknowledge(userId: UserId, sanctionId: number): Promise<OwnSanction[]> {
    const { repository, clock } = this.#parts;
    const isTheirs = await repository.acknowledge(userId, sanctionId, clock.now());
    if (!isTheirs) throw new ApiError('sanctionNotFound');
    return this.findOwn(userId);
  }

  /** @throws ApiError `sanctionNotFound` or `appealMade`. */
  async appeal(userId: UserId, sanctionId: number, given: string): Promise<OwnSanction[]> {
    const { database, clock } = this.#parts;
    const text = chatContent(given);
    if (text === null) throw new ApiError('invalidRequest');
    const isMade = await database
      .transaction()
      .execute((db) => storeAppeal(db, { userId, sanctionId, text }, clock.now()));
    const own = await this.findOwn(userId);
    if (isMade) return own;
    throw new ApiError(own.some(({ id }) => id === sanctionId) ? 'appealMade' : 'sanctionNotFound');
  }

  /**
   * Part of the deletion of an account, before its e-mail is deleted: deletes its sanctions, and keeps
   * suspensions and bans under a keyed hash of its proven e-mail (decision 062).
   */
  async forgetOwner(userId: UserId): Promise<void> {
    const { repository, clock } = this.#parts;
    const email = await repository.findProvenEmail(userId);
    const now = clock.now();
    const [hash = null] = email === null ? [] : await this.#hashesOf(email);
    const until = new Date(now.getTime() + KEPT_MS);
    await repository.detach(userId, { hash, reason: REASON_OF_DELETED, until }, now);
  }

  /** Applies a deleted account's suspension or ban to a new account with its e-mail. */
  async reapplyToEmail(userId: UserId, email: string): Promise<void> {
    const { repository, clock } = this.#parts;
    const hashes = await this.#hashesOf(email);
    if (await repository.attach(userId, hashes, clock.now())) this.announce(userId);
  }

  /** Deletes sanctions that ended long ago. */
  async deleteOld(): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#parts.repository.deleteOld(new Date(now.getTime() - KEPT_MS), now);
  }

  /** The hashes of an e-mail under every key, newest first: an older one cannot be made again without the e-mail. */
  async #hashesOf(email: string): Promise<readonly Buffer[]> {
    const keys = await readSiteKeys(this.#parts, 'sanctioned e-mails');
    const text = email.trim().toLowerCase();
    return keys.map(({ key }) => createHmac('sha256', key).update(text).digest());
  }

  async #store(
    order: AutomaticOrder & {
      readonly kind: SanctionKind;
      readonly rule: AutomaticRule | null;
      readonly reason: string;
      readonly decidedBy: UserId | null;
      /** Null for one without end. */
      readonly lastsMs: number | null;
    },
    transaction?: Database,
  ): Promise<number | null> {
    const now = this.#parts.clock.now();
    const { lastsMs, caseId = null, roomId = null } = order;
    const endsAt = lastsMs === null ? null : new Date(now.getTime() + lastsMs);
    const stored = await this.#commit(
      (db) => insertSanction(db, { ...order, caseId, roomId, now, endsAt }),
      transaction,
    );
    return stored?.id ?? null;
  }

  /** Does `work` and, unless it is part of a larger transaction, announces the change. */
  async #commit<Change extends { readonly userId: UserId }>(
    work: (db: Database) => Promise<Change | undefined>,
    transaction?: Database,
  ): Promise<Change | undefined> {
    if (transaction) return work(transaction);
    const change = await this.#parts.database.transaction().execute(work);
    if (change) this.announce(change.userId);
    return change;
  }
}

/** The length of a moderator's sanction; null for one without end. */
function durationMs({ kind, days }: SanctionOrder): number | null {
  if (kind === 'warn') return 0;
  if (kind === 'remove') return REMOVED_HOURS * HOUR_MS;
  return days === undefined ? null : days * DAY_MS;
}

function toOwnSanction(row: StoredSanction): OwnSanction {
  const msOf = (at: Date | null) => at?.getTime() ?? null;
  return {
    id: row.id,
    kind: row.kind,
    rule: row.rule,
    reason: row.reason,
    roomId: row.roomId,
    imposedAtMs: row.imposedAt.getTime(),
    endsAtMs: msOf(row.endsAt),
    liftedAtMs: msOf(row.liftedAt),
    isAcknowledged: row.acknowledgedAt !== null,
    appeal: row.appealedAt && {
      text: row.appealText ?? '',
      atMs: row.appealedAt.getTime(),
      answer: row.appealAnsweredAt && {
        text: row.appealAnswer ?? '',
        outcome: row.appealOutcome ?? 'upheld',
        atMs: row.appealAnsweredAt.getTime(),
      },
    },
  };
}
