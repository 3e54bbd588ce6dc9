import { CaptureUpdateAction, restoreElements } from '@excalidraw/excalidraw';
import type { OrderedExcalidrawElement } from '@excalidraw/excalidraw/element/types';
import type {
  AppState,
  Collaborator,
  ExcalidrawImperativeAPI,
  SocketId,
} from '@excalidraw/excalidraw/types';
import type { BoardElement } from '@mogakgong/contract';
import { fetchPicture } from '../board-pictures.ts';
import type { BoardRoom } from '../board-room.ts';
import type { BoardState } from '../board-state.ts';
import type { BoardView } from '../board-view.ts';
import { Painted } from './painted-pixels.ts';

type Drawn = OrderedExcalidrawElement;
type Pointers = BoardState['pointers'];
type People = Pick<BoardView, 'names' | 'blockedIds'>;

/** Types that the board stores (contract); an embedded page is none of them. */
const STORED: ReadonlySet<string> = new Set([
  'rectangle',
  'diamond',
  'ellipse',
  'arrow',
  'line',
  'freedraw',
  'text',
  'image',
  'frame',
]);

/** A picture that is not uploaded yet has no id, and nobody else could show it. */
const isStorable = (element: Drawn) =>
  STORED.has(element.type) && !(element.type === 'image' && element.fileId === null);

/** A drawing that takes longer is followed by a rest of three times as long: the page has other work. */
const FAST_MS = 50;
const RESTS = 3;
/** Excalidraw compares each point of an element with the frame it belongs to, at every drawing. */
const FRAMED_POINTS_MAX = 10;

/** Draws what others did into Excalidraw, and reports what is done in it. */
export class Scene {
  readonly #api: ExcalidrawImperativeAPI;
  readonly #board: BoardRoom;
  readonly #people: () => People;
  readonly #stops: (() => void)[];
  readonly #loading = new Set<string>();
  /** The last state of each element that the board was given, by id. */
  readonly #seen = new Map<string, string>();
  readonly #painted = new Painted();
  #editedIds: readonly string[] = [];
  #count = 0;
  #view = '';
  /** Changes of others since the last drawing, by id. */
  readonly #waiting = new Map<string, BoardElement>();
  #isResting = false;
  #isClosed = false;

  /** @param people the seated learners at the time of each call. */
  constructor(api: ExcalidrawImperativeAPI, board: BoardRoom, people: () => People) {
    this.#api = api;
    this.#board = board;
    this.#people = people;
    const { elements, pointers } = board.store.getState();
    this.#draw([...elements.values()]);
    this.#point(pointers);
    this.#stops = [
      board.onRemote((changed) => this.#drawInTurn(changed)),
      board.store.subscribe((state, before) => {
        if (state.pointers !== before.pointers) this.#point(state.pointers);
        if (before.state === 'loading' && state.state === 'live') this.showAll();
      }),
    ];
    this.showAll();
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    this.#board.pointerMoved(null);
  }

  /** Brings everything that is drawn into view. */
  showAll(): void {
    if (this.#api.getSceneElements().length === 0) return;
    this.#api.scrollToContent(undefined, { fitToContent: true, animate: false });
  }

  /** Takes what Excalidraw has after a change of anything. */
  changed(elements: readonly Drawn[], appState: AppState): void {
    const edited = editedIds(appState);
    const isOther = edited.join() !== this.#editedIds.join();
    // New edits are marked before their change is seen, ended ones after it.
    if (isOther) this.#board.editing([...this.#editedIds, ...edited]);
    this.#board.changed(this.#changedOf(elements));
    if (isOther) this.#board.editing(edited);
    this.#editedIds = edited;
    if (isOther) this.#drawInTurn([]);
    const isFewer = elements.length < this.#count;
    this.#count = elements.length;
    const view = JSON.stringify(viewOf(appState));
    const isMoved = view !== this.#view;
    this.#view = view;
    if (isFewer || isMoved) this.#drawMissing(elements);
  }

  /** The elements that changed since the board was given them. */
  #changedOf(elements: readonly Drawn[]): readonly BoardElement[] {
    const changed = elements.filter((element) => {
      const revision = revisionOf(element);
      if (this.#seen.get(element.id) === revision || !isStorable(element)) return false;
      this.#seen.set(element.id, revision);
      return true;
    });
    return changed as readonly object[] as readonly BoardElement[];
  }

  /**
   * Draws what belongs to the board and is not drawn. A file that was dropped replaces all elements in Excalidraw:
   * on the board it is an addition. In another view it gives up the pictures that are too many.
   */
  #drawMissing(elements: readonly Drawn[]): void {
    const present = new Set(elements.map(({ id }) => id));
    const shown = this.#board.store.getState().elements;
    const missing = [...shown.values()].filter(({ id }) => !present.has(id));
    const fitting = this.#fitting(missing);
    const drawn = new Set(elements);
    const isDrawn = fitting.length === drawn.size && fitting.every((each) => drawn.has(each));
    if (!isDrawn) this.#draw(missing, fitting);
  }

  /** All elements that Excalidraw can draw, with the changed ones in their place. */
  #fitting(changed: readonly BoardElement[]): readonly Drawn[] {
    const present = this.#api.getSceneElementsIncludingDeleted();
    const { elements } = this.#board.store.getState();
    const all = changed.length === 0 ? present : withChanges(present, changed, elements);
    return this.#painted.fit(all, viewOf(this.#api.getAppState()), this.#editedIds);
  }

  #draw(changed: readonly BoardElement[], elements = this.#fitting(changed)): void {
    this.#count = elements.length;
    const before = elements.map(revisionOf);
    // Undo is one's own: what others did is no step of it.
    this.#api.updateScene({ elements, captureUpdate: CaptureUpdateAction.NEVER });
    const drawn = new Set(changed.map(({ id }) => id));
    for (const [index, element] of elements.entries()) {
      // Excalidraw has moved one that shares its place in the order: that is no edit of this learner.
      const isMoved = revisionOf(element) !== before[index];
      const wasSeen = drawn.has(element.id) || this.#seen.get(element.id) === before[index];
      if (isMoved && wasSeen) this.#seen.set(element.id, revisionOf(element));
    }
    for (const element of changed) void this.#loadPicture(element);
  }

  /** Draws what others changed: at once, or together with what comes while a slow drawing rests. */
  #drawInTurn(changed: readonly BoardElement[]): void {
    for (const element of changed) this.#waiting.set(element.id, element);
    if (this.#isResting || this.#isClosed) return;
    // An element that the learner edits stays as it is until they are done.
    const due = [...this.#waiting.values()].filter(({ id }) => !this.#editedIds.includes(id));
    if (due.length === 0) return;
    const { elements } = this.#board.store.getState();
    const present = due.map((each) => elements.get(each.id) ?? each);
    for (const { id } of due) this.#waiting.delete(id);
    this.#isResting = true;
    const beganMs = performance.now();
    try {
      this.#draw(present);
    } finally {
      afterPainting(() => {
        const tookMs = performance.now() - beganMs;
        const goOn = () => {
          this.#isResting = false;
          this.#drawInTurn([]);
        };
        if (tookMs < FAST_MS) goOn();
        else setTimeout(goOn, RESTS * tookMs);
      });
    }
  }

  async #loadPicture({ type, isDeleted, fileId }: BoardElement): Promise<void> {
    if (type !== 'image' || isDeleted || typeof fileId !== 'string') return;
    if (this.#loading.has(fileId) || fileId in this.#api.getFiles()) return;
    this.#loading.add(fileId);
    try {
      this.#api.addFiles([await fetchPicture(this.#board.roomId, fileId)]);
    } catch {
      // Its place stays empty; the next change of the element tries again.
    } finally {
      this.#loading.delete(fileId);
    }
  }

  #point(pointers: Pointers): void {
    const { names, blockedIds } = this.#people();
    const collaborators = new Map<SocketId, Collaborator>();
    for (const [userId, { x, y }] of pointers) {
      if (blockedIds.has(userId)) continue;
      collaborators.set(String(userId) as SocketId, {
        id: String(userId),
        username: names.get(userId) ?? '',
        pointer: { x, y, tool: 'pointer' },
      });
    }
    this.#api.updateScene({ collaborators, captureUpdate: CaptureUpdateAction.NEVER });
  }
}

/** Excalidraw paints in the next frame; a hidden tab has none. */
function afterPainting(then: () => void): void {
  if (document.hidden) setTimeout(then);
  else requestAnimationFrame(() => setTimeout(then));
}

function viewOf({ zoom, scrollX, scrollY, width, height }: AppState) {
  return {
    scale: zoom.value * window.devicePixelRatio,
    left: -scrollX,
    top: -scrollY,
    width: width / zoom.value,
    height: height / zoom.value,
  };
}

const revisionOf = ({ version, versionNonce }: Drawn) => `${version} ${versionNonce}`;

/** Elements that are being drawn, dragged, or written in. */
function editedIds(state: AppState): readonly string[] {
  const isMoving =
    state.selectedElementsAreBeingDragged ||
    state.isResizing ||
    state.isRotating ||
    state.isCropping;
  const ids = [
    state.newElement?.id,
    state.multiElement?.id,
    state.resizingElement?.id,
    state.editingTextElement?.id,
    state.editingLinearElement?.elementId,
    ...(isMoving ? Object.keys(state.selectedElementIds) : []),
  ];
  return [...new Set(ids.filter((id) => id != null))];
}

/**
 * The elements with the changed ones in their place, in the order of drawing that all pages agree on: Excalidraw
 * moves those of one place, in each page another.
 */
function withChanges(
  present: readonly Drawn[],
  changed: readonly BoardElement[],
  agreed: ReadonlyMap<string, BoardElement>,
): readonly Drawn[] {
  const elements = new Map<string, Drawn>(present.map((element) => [element.id, element]));
  for (const each of changed) {
    const { id, isDeleted, version, versionNonce } = each;
    const element = isDeleted ? elements.get(id) : restored(each as object as Drawn);
    if (element) elements.set(id, { ...element, isDeleted, version, versionNonce });
  }
  const placeOf = (element: Drawn) => {
    const { id, index } = agreed.get(element.id) ?? element;
    return `${index ?? ''} ${id}`;
  };
  const inOrder = [...elements.values()].map((element) => [placeOf(element), element] as const);
  inOrder.sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
  return inOrder.map(([, element]) => element);
}

/** An element as Excalidraw draws it; null for one that it cannot read, which is left out. */
function restored(sent: Drawn): Drawn | null {
  try {
    const [element] = restoreElements([sent], null);
    if (element === undefined) return null;
    const frameId = pointsOf(element) > FRAMED_POINTS_MAX ? null : element.frameId;
    // Restoring fills in what is missing, and may renumber: what was agreed on stays.
    return { ...element, index: sent.index, link: null, frameId };
  } catch {
    return null;
  }
}

const pointsOf = (element: Drawn) => ('points' in element ? element.points.length : 0);
