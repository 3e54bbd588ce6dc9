import {
  type BoardElement,
  BoardMessage,
  destinations,
  getBoard,
  type RoomId,
  type RouteReply,
  type UserId,
} from '@mogakgong/contract';
import { createStore } from 'zustand/vanilla';
import { ApiError, call } from '../../shared/api/index.ts';
import type { OpenListening } from '../../shared/realtime/listenings.ts';
import type { RealtimeTransport } from '../../shared/realtime/realtime-connection.ts';
import type { BatchSize } from './board-batch.ts';
import { BoardElements } from './board-elements.ts';
import { BoardSender, type BoardTarget, type PointerPosition } from './board-sender.ts';
import type { BoardProblem, BoardState } from './board-state.ts';
import { keepUnsent, takeUnsent, type UnsentDrawing } from './unsent-drawing.ts';

/** Up to which change the board is known. */
interface BoardPosition {
  readonly generation: number;
  readonly number: number;
}

export interface BoardRoomOptions {
  readonly roomId: RoomId;
  readonly userId: UserId;
  readonly transport: RealtimeTransport;
  /** Where the board is read from; the API unless given. */
  readonly fetchBoard?: (roomId: RoomId, known: BoardPosition | null) => Promise<Board>;
}

type Message<Kind extends BoardMessage['kind']> = Extract<BoardMessage, { kind: Kind }>;
type Board = RouteReply<typeof getBoard>;

/** Wait before the board is read again after a failure that does not say how long. */
const READ_RETRY_MS = 2_000;
/** How long after a refusal as replaced the message that says so may take. */
const REPLACEMENT_WAIT_MS = 2_000;

function fetchBoardByApi(roomId: RoomId, known: BoardPosition | null) {
  const query = known ? { generation: known.generation, since: known.number } : {};
  return call(getBoard, { params: { roomId }, query });
}

/**
 * The board of one room as one learner has it: what the server has by the numbers of its changes, and
 * what was drawn here, which is sent, and kept while there is no connection and over a reload. Knows neither
 * a framework nor the drawing surface.
 */
export class BoardRoom {
  readonly store = createStore<BoardState>(() => ({
    state: 'loading',
    generation: null,
    pointers: new Map(),
    problem: null,
    isHeldUp: false,
    hasUnsent: false,
    elements: new Map(),
  }));
  readonly roomId: RoomId;
  readonly userId: UserId;
  readonly #options: Required<BoardRoomOptions>;
  readonly #elements = new BoardElements();
  readonly #sender: BoardSender;
  readonly #listening: OpenListening;
  readonly #stops: (() => void)[];
  readonly #remoteListeners = new Set<(elements: readonly BoardElement[]) => void>();
  #position: BoardPosition | null = null;
  /** Drawings that an earlier page of this tab did not send. */
  #unsent: UnsentDrawing | null;
  /** Changes that wait for those before them. */
  #early: Message<'changes' | 'replaced'>[] = [];
  /** The subscription has not started yet. */
  #awaitsStart = true;
  /** A board of another generation replaces the one that is known; else it may be that of other people. */
  #isSameGathering = true;
  #isReading = false;
  /** The board being read may be older than something that has happened since. */
  #isOutdated = false;
  /** The board is being replaced: nothing is sent until the next one is known. */
  #isHeld = false;
  #isClosed = false;

  constructor(options: BoardRoomOptions) {
    this.#options = { fetchBoard: fetchBoardByApi, ...options };
    const { roomId, userId, transport } = options;
    this.roomId = roomId;
    this.userId = userId;
    this.#unsent = takeUnsent(userId, roomId);
    this.#sender = new BoardSender({
      transport,
      target: () => this.#target(),
      dueAtMs: () => this.#elements.dueAtMs,
      nextBatch: (nowMs, most) => this.#nextBatch(nowMs, most),
      onConfirmed: (elements, number, { generation }) => {
        const isPresent = generation === this.store.getState().generation;
        if (isPresent) this.#show(this.#elements.confirm(elements, number));
      },
      onLost: (elements) => this.#elements.sendAgain(elements),
      onRefused: (elements, errorName, text) => this.#refuse(elements, { errorName, text }),
      onReplaced: () => this.#awaitReplacement(),
      onHeldUp: (isHeldUp) => this.store.setState({ isHeldUp }),
    });
    const keep = () => this.#keepUnsent();
    window.addEventListener('pagehide', keep);
    this.#stops = [
      () => window.removeEventListener('pagehide', keep),
      transport.store.subscribe(({ state }) => {
        if (state !== 'connected') this.#disconnected();
      }),
    ];
    this.#listening = transport.listen({
      destination: destinations.board,
      onMessage: (body) => this.#receive(body),
    });
  }

  /**
   * Calls back with what the surface must show in the place of what it has; deleted elements are marked so.
   * Never with what is being edited, nor with what the surface itself reported. Returns a cleanup function.
   */
  onRemote(listener: (elements: readonly BoardElement[]) => void): () => void {
    this.#remoteListeners.add(listener);
    return () => this.#remoteListeners.delete(listener);
  }

  /** Takes what the surface shows; elements that it has not changed may be among it. */
  changed(elements: readonly BoardElement[]): void {
    this.#show(this.#elements.changed(elements));
    this.#sender.schedule();
  }

  /** Takes which elements are being drawn, dragged or written in. */
  editing(ids: Iterable<string>): void {
    this.#show(this.#elements.setEditing(ids));
    this.#sender.schedule();
  }

  pointerMoved(at: PointerPosition): void {
    this.#sender.pointerMoved(at);
  }

  /** Ends it; what was not sent is, or is kept for the next page of this tab. */
  close(): void {
    this.#sender.stop();
    this.#keepUnsent();
    this.#isClosed = true;
    this.#listening.close();
    for (const stop of this.#stops) stop();
  }

  #receive(body: unknown): void {
    const parsed = BoardMessage.safeParse(body);
    if (!parsed.success || parsed.data.roomId !== this.roomId || this.#isClosed) return;
    const message = parsed.data;
    if (message.kind === 'start') this.#start(message);
    else if (message.kind === 'pointers') this.#takePointers(message);
    else if (!this.#awaitsStart) {
      this.#early.push(message);
      if (!this.#isReading) this.#takeEarly();
    }
  }

  #start({ generation, number }: Message<'start'>): void {
    // Unasked: what this learner may see has changed, and what is known may be too much or too little.
    if (!this.#awaitsStart) this.#position = null;
    this.#awaitsStart = false;
    this.#early = [];
    this.#isSameGathering = generation === this.store.getState().generation;
    this.store.setState({ pointers: new Map() });
    const isKnown = this.#position?.number === number && this.#isSameGathering;
    if (isKnown && !this.#isReading) this.#becomeLive();
    else void this.#read();
  }

  /** Takes the changes that follow on what is known, and reads what is missing before the others. */
  #takeEarly(): void {
    while (this.#position !== null) {
      const { generation, number } = this.#position;
      this.#early = this.#early.filter((change) => change.number > number);
      const next = this.#early.find((change) => change.number === number + 1);
      if (next?.kind !== 'changes' || next.generation !== generation) break;
      this.#position = { generation, number: next.number };
      this.#show(this.#elements.take(next.elements, next.number));
    }
    // Drawings from now on belong to the next board, as soon as that is known.
    if (this.#early.some(({ kind }) => kind === 'replaced')) this.#isHeld = true;
    if (this.#early.length > 0) void this.#read();
  }

  /** Reads what is not known of the board, until it is. */
  async #read(): Promise<void> {
    this.#isOutdated = true;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#isOutdated && !this.#awaitsStart && !this.#isClosed) {
      this.#isOutdated = false;
      try {
        const board = await this.#options.fetchBoard(this.roomId, this.#position);
        if (!this.#isOutdated && !this.#awaitsStart && !this.#isClosed) this.#takeBoard(board);
      } catch (error) {
        const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : 0;
        const waitMs = Math.max(READ_RETRY_MS, retryAfterMs);
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        this.#isOutdated = true;
      }
    }
    this.#isReading = false;
  }

  #takeBoard({ generation, number, isWhole, elements }: Board): void {
    const drawnOn = this.store.getState().generation;
    const keepsChanges = drawnOn === null || drawnOn === generation;
    this.#position = { generation, number };
    if (!keepsChanges && !this.#isSameGathering && this.#elements.dropOwn()) {
      this.store.setState({ problem: { errorName: 'boardReplaced', text: '' } });
    }
    this.#isSameGathering = true;
    this.store.setState({ generation });
    this.#show(
      isWhole
        ? this.#elements.takeWhole(elements, number, keepsChanges)
        : this.#elements.take(elements, number),
    );
    const unsent = this.#unsent?.generation === generation ? this.#unsent.changes : [];
    this.#show(this.#elements.restore(unsent));
    this.#unsent = null;
    this.#becomeLive();
    this.#takeEarly();
  }

  #becomeLive(): void {
    this.#isHeld = false;
    this.store.setState({ state: 'live' });
    this.#sender.schedule();
  }

  #disconnected(): void {
    this.#awaitsStart = true;
    const { state } = this.store.getState();
    if (state === 'live') this.store.setState({ state: 'offline', pointers: new Map() });
  }

  #target(): BoardTarget | null {
    const { state, generation } = this.store.getState();
    const isOpen = state === 'live' && !this.#isHeld && !this.#awaitsStart && !this.#isClosed;
    return isOpen && generation !== null ? { roomId: this.roomId, generation } : null;
  }

  #nextBatch(nowMs: number, most: BatchSize): readonly BoardElement[] {
    const { elements, tooLarge } = this.#elements.nextBatch(nowMs, most);
    const problem = { errorName: 'boardElementTooLarge', text: '' } as const;
    if (tooLarge.length > 0) this.#refuse(tooLarge, problem);
    return elements;
  }

  #refuse(elements: readonly BoardElement[], problem: BoardProblem): void {
    this.#show(this.#elements.takeBack(elements));
    this.store.setState({ problem });
  }

  /** The board was replaced: a message says so any moment, or was lost. */
  #awaitReplacement(): void {
    this.#isHeld = true;
    setTimeout(() => {
      if (!this.#isHeld || this.#awaitsStart || this.#isClosed) return;
      this.#awaitsStart = true;
      this.#listening.renew();
    }, REPLACEMENT_WAIT_MS);
  }

  #takePointers({ pointers: moved }: Message<'pointers'>): void {
    const pointers = new Map(this.store.getState().pointers);
    for (const { userId, at } of moved) {
      if (at) pointers.set(userId, at);
      else pointers.delete(userId);
    }
    this.store.setState({ pointers });
  }

  /** Publishes what is shown now, and tells the surface what it lacks. */
  #show(toShow: readonly BoardElement[]): void {
    const { shown } = this.#elements;
    const hasUnsent = this.#elements.unsent.length > 0;
    const before = this.store.getState();
    if (shown !== before.elements || hasUnsent !== before.hasUnsent) {
      this.store.setState({ elements: shown, hasUnsent });
    }
    if (toShow.length > 0) for (const listener of this.#remoteListeners) listener(toShow);
  }

  #keepUnsent(): void {
    const { generation } = this.store.getState();
    const { userId, roomId } = this;
    const drawn = generation && { roomId, generation, changes: [...this.#elements.unsent] };
    keepUnsent(userId, drawn || this.#unsent);
  }
}
