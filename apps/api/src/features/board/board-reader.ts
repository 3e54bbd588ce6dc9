import type { UserId } from '@mogakgong/contract';
import { createBatcher } from '../../platform/batch/index.ts';
import { jsonSlices } from '../../platform/http/index.ts';
import type { Gathering } from '../realtime/index.ts';
import type { BoardContent, NumberedElement } from './board.repository.ts';
import type { BoardPosition } from './board-rows.ts';

interface BoardReaderParts {
  /** The board of a gathering after a position, or all of it. Null if it does not exist. */
  readonly load: (
    gathering: Gathering,
    since: BoardPosition | null,
  ) => Promise<BoardContent | null>;
}

/** Boards stay in memory for this time after the last read. */
const KEPT_MS = 60_000;
/** Bytes of all boards in memory: elements and encoded slices. */
const KEPT_MAX_BYTES = 64 * 1024 * 1024;

/** The answer to a reader. */
export interface BoardReply {
  /** Of the elements. */
  readonly bytes: number;
  /** The JSON of the reply, encoded on first use. */
  readonly slices: () => readonly Buffer[];
}

/** A board at one of its numbers. */
class BoardVersion {
  readonly bytes: number;
  readonly #board: BoardContent;
  readonly #live: readonly NumberedElement[];
  #slices: readonly Buffer[] | undefined;

  constructor(board: BoardContent) {
    this.#board = board;
    this.#live = board.elements.filter(({ isDeleted }) => !isDeleted);
    this.bytes = bytesOf(board.elements);
  }

  get position(): BoardPosition {
    return this.#board;
  }

  /** This board with the changes since. */
  with(changes: BoardContent): BoardVersion {
    if (changes.isWhole) return new BoardVersion(changes);
    const { number, purgedNumber } = changes;
    if (number === this.#board.number && purgedNumber === this.#board.purgedNumber) return this;
    const changed = new Set(changes.elements.map(({ id }) => id));
    const unchanged = this.#board.elements.filter(
      (element) =>
        !changed.has(element.id) && !(element.isDeleted && element.number <= purgedNumber),
    );
    return new BoardVersion({ ...changes, elements: [...unchanged, ...changes.elements] });
  }

  /**
   * The changes after a position, deleted elements included, or the whole board.
   * @param apart learners with elements hidden from the reader.
   */
  replyTo(since: BoardPosition | null, apart: ReadonlySet<UserId>): BoardReply {
    const { generation, number, purgedNumber, elements } = this.#board;
    const isWhole =
      since?.generation !== generation || since.number < purgedNumber || since.number > number;
    const all = isWhole ? this.#live : elements.filter((element) => element.number > since.number);
    const seen = all.filter(({ authorId }) => !apart.has(authorId));
    const encode = () =>
      jsonSlices(
        { generation, number, isWhole },
        { elements: `[${seen.map(({ json }) => json).join(',')}]` },
      );
    const encodeShared = () => {
      this.#slices ??= encode();
      return this.#slices;
    };
    const isShared = isWhole && seen.length === all.length;
    return { bytes: bytesOf(seen), slices: isShared ? encodeShared : encode };
  }
}

const bytesOf = (elements: readonly NumberedElement[]) =>
  elements.reduce((sum, { bytes }) => sum + bytes, 0);

/** A board in memory; concurrent readers share a query. */
interface KeptBoard {
  readonly read: () => Promise<BoardVersion | null>;
  readonly forgetting: NodeJS.Timeout;
  bytes: number;
}

/**
 * Reads boards for many: each process keeps recently read ones and queries only their changes; a version is
 * encoded once for all readers that may see all of it.
 */
export class BoardReader {
  readonly #parts: BoardReaderParts;
  /** By room and epoch, in the order of the last read. */
  readonly #kept = new Map<string, KeptBoard>();

  constructor(parts: BoardReaderParts) {
    this.#parts = parts;
  }

  /** The board in the database after this call. Null if it does not exist. */
  async read(gathering: Gathering): Promise<BoardVersion | null> {
    const key = `${gathering.roomId} ${gathering.epoch}`;
    const board = this.#kept.get(key) ?? this.#keep(key, gathering);
    this.#kept.delete(key);
    this.#kept.set(key, board);
    board.forgetting.refresh();
    const version = await board.read();
    // Elements and slices.
    board.bytes = 2 * (version?.bytes ?? 0);
    this.#forgetOldest();
    return version;
  }

  close(): void {
    for (const key of this.#kept.keys()) this.#forget(key);
  }

  #keep(key: string, gathering: Gathering): KeptBoard {
    let version: BoardVersion | null = null;
    const read = createBatcher(async (readers: readonly undefined[]) => {
      const board = await this.#parts.load(gathering, version?.position ?? null);
      version = board && (version?.with(board) ?? new BoardVersion(board));
      return readers.map(() => version);
    }, Infinity);
    const forgetting = setTimeout(() => this.#forget(key), KEPT_MS);
    forgetting.unref();
    return { read: () => read(undefined), forgetting, bytes: 0 };
  }

  #forgetOldest(): void {
    let bytes = 0;
    for (const board of this.#kept.values()) bytes += board.bytes;
    for (const [key, board] of this.#kept) {
      if (bytes <= KEPT_MAX_BYTES) return;
      bytes -= board.bytes;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    clearTimeout(this.#kept.get(key)?.forgetting);
    this.#kept.delete(key);
  }
}
