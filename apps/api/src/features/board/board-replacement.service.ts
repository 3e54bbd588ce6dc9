import { randomUUID } from 'node:crypto';
import { BOARD_VOTE_MS, type BoardVote, type RoomId, type UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { type Database, forEachDue, retryConflict } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { HostingService } from '../hosting/index.ts';
import type { Notices } from '../realtime/index.ts';
import { HOSTED_EPOCH } from './board.repository.ts';
import type { BoardService } from './board.service.ts';
import type { BoardTables } from './board.tables.ts';
import type { BoardEvent } from './board-feed.ts';
import { type BoardKey, type LockedBoard, lockBoard } from './board-rows.ts';
import {
  type BoardVersionsRepository,
  hasVersion,
  takeVersion,
} from './board-versions.repository.ts';
import {
  endVote,
  findSeated,
  findVote,
  findVotedBoards,
  storeVote,
} from './board-votes.repository.ts';
import { replaceElements } from './replace-elements.ts';
import { tally, withBallot } from './vote-tally.ts';

/** Votes settled concurrently. */
const SETTLED_AT_ONCE = 4;

interface ReplacementParts {
  readonly database: Database;
  readonly versions: BoardVersionsRepository;
  readonly boards: BoardService;
  readonly hosting: Pick<HostingService, 'assertHost'>;
  readonly notices: Pick<Notices, 'send'>;
  /** For stored times: throws while the clock may be wrong. */
  readonly clock: Clock;
}

/** The result of a call: the vote that is open now, and the events for everybody in the room. */
interface Outcome {
  readonly vote: BoardVote | null;
  readonly events: readonly BoardEvent[];
  /** Learners to notify of a new vote, also without an open board. */
  readonly asked?: readonly UserId[];
}

/** A board that a transaction has locked. */
interface HeldBoard {
  readonly transaction: Database;
  readonly board: LockedBoard;
  readonly now: Date;
}

/**
 * Empties boards and restores versions: the host of a room does it at once; elsewhere the learners in the
 * room vote (decision 074).
 */
export class BoardReplacement {
  readonly #parts: ReplacementParts;

  constructor(parts: ReplacementParts) {
    this.#parts = parts;
  }

  /**
   * Empties the board of the caller's room, or restores a version: at once for a host, and for a learner
   * alone in a room without a host; otherwise a vote opens.
   * @returns the vote that is open now.
   * @throws ApiError `notInThisRoom`, `notHost`, `boardVersionNotFound` or `boardVoteOpen`.
   */
  async replace(userId: UserId, roomId: RoomId, versionId: number | null) {
    const board = await this.#parts.boards.ownBoard(userId, roomId);
    const isHosted = board.epoch === HOSTED_EPOCH;
    if (isHosted) await this.#parts.hosting.assertHost(userId, roomId);
    // An expired vote does not prevent another one.
    else await this.#settleStored(board);
    return this.#change(board, async (held) => {
      const isThere =
        versionId === null || (await hasVersion(held.transaction, board, versionId, held.now));
      if (!isThere) throw new ApiError('boardVersionNotFound');
      return isHosted ? this.#replace(held, versionId, userId) : this.#ask(held, versionId, userId);
    });
  }

  /**
   * Answers in the open vote; the last answer of a learner counts.
   * @returns the vote, or null if this has ended it.
   * @throws ApiError `notInThisRoom` or `boardVoteEnded`.
   */
  async vote(userId: UserId, roomId: RoomId, voteId: string, agrees: boolean) {
    const board = await this.#parts.boards.ownBoard(userId, roomId);
    return this.#change(board, async (held) => {
      const stored = await findVote(held.transaction, board);
      const isOpen = stored?.id === voteId && held.now.getTime() < stored.endsAtMs;
      if (!isOpen) throw new ApiError('boardVoteEnded');
      return this.#settle(held, { ...stored, ...withBallot(stored, userId, agrees) }, stored);
    });
  }

  /** @throws ApiError `notInThisRoom`. */
  async listVersions(userId: UserId, roomId: RoomId) {
    const board = await this.#parts.boards.ownBoard(userId, roomId);
    return this.#parts.versions.findVersions(board, this.#parts.clock.now());
  }

  /** Repeated: ends expired votes, and recounts votes after a learner has left. */
  async settleVotes(): Promise<void> {
    const boards = await findVotedBoards(this.#parts.database);
    await forEachDue(boards, (board) => this.#settleStored(board), SETTLED_AT_ONCE);
  }

  /** Repeated: keeps a version of every changed board, and deletes old ones. */
  async keepVersions(): Promise<void> {
    const { versions, clock } = this.#parts;
    const now = clock.now();
    await versions.deleteOld(now);
    await forEachDue(await versions.findDue(now), (board) => versions.take(board, now));
  }

  /** Serialised per board, which is locked; publishes the outcome once it is stored. */
  async #change(
    board: BoardKey,
    work: (held: HeldBoard) => Promise<Outcome>,
  ): Promise<BoardVote | null> {
    const {
      vote,
      events,
      asked = [],
    } = await retryConflict(() =>
      this.#parts.database.transaction().execute(async (transaction) => {
        const locked = await lockBoard(transaction, board);
        if (!locked) throw new ApiError('notInThisRoom');
        return work({ transaction, board: locked, now: this.#parts.clock.now() });
      }),
    );
    if (events.length > 0) this.#parts.boards.publish(board, events);
    const { roomId } = board;
    for (const userId of asked) this.#parts.notices.send(userId, { kind: 'boardVote', roomId });
    return vote;
  }

  /** Replaces all elements, after keeping them as a version. */
  async #replace(
    { transaction, board, now }: HeldBoard,
    versionId: number | null,
    by: UserId | null,
  ): Promise<Outcome> {
    await takeVersion(transaction, board, now);
    const db = transaction.withTables<BoardTables>();
    const position = await replaceElements(db, board, versionId, now);
    const replaced: BoardEvent = { kind: 'replaced', epoch: board.epoch, ...position, by };
    return { vote: null, events: [replaced] };
  }

  /**
   * Counts a vote, stores it, and carries out its result.
   * @param stored its stored state; null for a new one.
   */
  async #settle(held: HeldBoard, vote: BoardVote, stored: BoardVote | null): Promise<Outcome> {
    const { transaction, board, now } = held;
    const isOver = now.getTime() >= vote.endsAtMs;
    const seated = await findSeated(transaction, board);
    const { outcome, ...counted } = tally(vote, seated, isOver);
    const shown = (next: BoardVote | null): BoardEvent => ({
      kind: 'vote',
      epoch: board.epoch,
      vote: next,
    });
    if (outcome === 'open') {
      const next = { ...vote, ...counted };
      await storeVote(transaction, board, next);
      const asked = stored ? [] : [...seated].filter((userId) => userId !== next.openedBy);
      return { vote: next, events: [shown(next)], asked };
    }
    if (stored) await endVote(transaction, board);
    const end = stored ? [shown(null)] : [];
    if (outcome === 'refused') return { vote: null, events: end };
    // A learner alone acts in their own name; a vote in nobody's.
    const { events } = await this.#replace(held, vote.versionId, stored ? null : vote.openedBy);
    return { vote: null, events: [...events, ...end] };
  }

  /**
   * Recounts the vote of a board, as its time passes and learners come and go. Publishes it again as well, so
   * that a lost event is repaired soon.
   */
  #settleStored(board: BoardKey): Promise<BoardVote | null> {
    return this.#change(board, async (held) => {
      const stored = await findVote(held.transaction, board);
      return stored ? this.#settle(held, stored, stored) : { vote: null, events: [] };
    });
  }

  /** Opens a vote with the caller's consent; a request equal to the open vote counts as consent. */
  async #ask(held: HeldBoard, versionId: number | null, by: UserId): Promise<Outcome> {
    const stored = await findVote(held.transaction, held.board);
    if (stored && stored.versionId !== versionId) throw new ApiError('boardVoteOpen');
    const vote = stored ?? {
      id: randomUUID(),
      versionId,
      openedBy: by,
      endsAtMs: held.now.getTime() + BOARD_VOTE_MS,
      agreed: [],
      refused: [],
      needed: 1,
    };
    const agreed = { ...vote, ...withBallot(vote, by, true) };
    return this.#settle(held, agreed, stored);
  }
}
