import type { BoardElement } from '@mogakgong/contract';
import type { Random } from './random.ts';

/** Moves of a pen that arrive in one tick of the client (50 ms at 60 a second). */
const MOVES_A_TICK = 3;
const STROKE_TICKS = { from: 12, to: 50 };
const SHAPE_TICKS = { from: 8, to: 20 };
const WORD_LETTERS = { from: 4, to: 20 };
/** A letter every four ticks: five a second. */
const TICKS_A_LETTER = 4;
const PAUSE_TICKS = { from: 6, to: 30 };
const SHAPES = ['rectangle', 'ellipse', 'diamond', 'arrow', 'line'] as const;
const LETTERS = '가나다라마바사아자차카타파하xyz=+0123456789 ';
const BOARD_PX = 4_000;
const PEN = { points: [], pressures: [], simulatePressure: true, lastCommittedPoint: null };
const INKS = ['#1e1e1e', '#e03131', '#2f9e44', '#1971c2', '#f08c00'] as const;

/** What a learner does for some ticks: each call is the element after one more tick, null for no change. */
interface Deed {
  ticks: number;
  next(): BoardElement | null;
}

interface DrawerOptions {
  readonly random: Random;
  /** Of all ids: no two learners make the same. */
  readonly name: string;
  /** What of all deeds deletes or moves something that is there already; 0 to 1. */
  readonly shareOfEdits?: number;
}

/**
 * A learner who draws as people do, in ticks of `BOARD_SEND_EVERY_MS`: strokes that grow, shapes that are
 * dragged out, words that are typed, and pauses. Elements are as Excalidraw 0.18 makes them.
 */
export class Drawer {
  readonly #options: DrawerOptions;
  #made = 0;
  #isPausing = true;
  #deed: Deed;

  constructor(options: DrawerOptions) {
    this.#options = options;
    this.#deed = this.#pause();
  }

  /**
   * What has changed in the next tick; null in pauses.
   * @param others what the learner sees and may move or delete.
   */
  next(others: readonly BoardElement[] = []): BoardElement | null {
    if (this.#deed.ticks === 0) {
      this.#isPausing = !this.#isPausing;
      this.#deed = this.#isPausing ? this.#pause() : this.#choose(others);
    }
    this.#deed.ticks -= 1;
    return this.#deed.next();
  }

  #pause(): Deed {
    return { ticks: this.#whole(PAUSE_TICKS), next: () => null };
  }

  #choose(others: readonly BoardElement[]): Deed {
    const { random, shareOfEdits = 0 } = this.#options;
    const isEdit = random.between(0, 1) < shareOfEdits;
    const chance = random.between(0, 1);
    if (isEdit && others.length > 0) return this.#edit(random.pick(others));
    if (chance < 0.75) return this.#stroke();
    return chance < 0.9 ? this.#shape() : this.#word();
  }

  #stroke(): Deed {
    const { random } = this.#options;
    const points: [number, number][] = [[0, 0]];
    let [angle, version] = [random.between(0, 6), 0];
    const element = this.#element('freedraw', PEN);
    return {
      ticks: this.#whole(STROKE_TICKS),
      next: () => {
        for (let move = 0; move < MOVES_A_TICK; move += 1) {
          angle += random.between(-0.5, 0.5);
          const [x, y] = points.at(-1) ?? [0, 0];
          const step = random.between(2, 9);
          points.push([x + Math.cos(angle) * step, y + Math.sin(angle) * step]);
          version += 1;
        }
        const lastCommittedPoint = points.at(-1);
        return this.#revise({ ...element, points: [...points], lastCommittedPoint }, version);
      },
    };
  }

  #shape(): Deed {
    const { random } = this.#options;
    const type = random.pick(SHAPES);
    const isLinear = type === 'arrow' || type === 'line';
    const element = this.#element(type, isLinear ? { startBinding: null, endBinding: null } : {});
    let [width, height, version] = [0, 0, 0];
    return {
      ticks: this.#whole(SHAPE_TICKS),
      next: () => {
        width += random.between(5, 20);
        height += random.between(3, 15);
        version += MOVES_A_TICK;
        const points = [
          [0, 0],
          [width, height],
        ];
        const arrowheads = {
          startArrowhead: null,
          endArrowhead: type === 'arrow' ? 'arrow' : null,
        };
        return this.#revise(
          { ...element, width, height, ...(isLinear && { points, ...arrowheads }) },
          version,
        );
      },
    };
  }

  #word(): Deed {
    const { random } = this.#options;
    const element = this.#element('text', {
      ...{ fontSize: 20, fontFamily: 5, textAlign: 'left', verticalAlign: 'top' },
      ...{ containerId: null, autoResize: true, lineHeight: 1.25 },
    });
    let [tick, text] = [0, ''];
    return {
      ticks: this.#whole(WORD_LETTERS) * TICKS_A_LETTER,
      next: () => {
        tick += 1;
        if (tick % TICKS_A_LETTER !== 0) return null;
        text += random.pick([...LETTERS]);
        const size = { width: text.length * 14, height: 25 };
        return this.#revise({ ...element, text, originalText: text, ...size }, text.length);
      },
    };
  }

  /** Moves an element for a while, or deletes it. */
  #edit(known: BoardElement): Deed {
    const { random } = this.#options;
    if (random.between(0, 1) < 0.3) {
      return {
        ticks: 1,
        next: () => this.#revise({ ...known, isDeleted: true }, known.version + 1),
      };
    }
    let [x, version] = [Number(known.x), known.version];
    return {
      ticks: this.#whole(SHAPE_TICKS),
      next: () => {
        x += random.between(1, 20);
        version += MOVES_A_TICK;
        return this.#revise({ ...known, x }, version);
      },
    };
  }

  #element(type: string, fields: Readonly<Record<string, unknown>>): BoardElement {
    this.#made += 1;
    return newElement(this.#options.random, `${this.#options.name}-${this.#made}`, type, fields);
  }

  #revise(element: BoardElement, version: number): BoardElement {
    const versionNonce = randomNumber(this.#options.random);
    return { ...element, version, versionNonce, updated: Date.now() };
  }

  #whole({ from, to }: { readonly from: number; readonly to: number }): number {
    return Math.floor(this.#options.random.between(from, to + 1));
  }
}

/** A stroke whose JSON has about so many bytes. */
export function strokeOf(random: Random, id: string, bytes: number): BoardElement {
  const stroke = newElement(random, id, 'freedraw', PEN);
  const points = [[0, 0]];
  for (let size = JSON.stringify(stroke).length; size < bytes; ) {
    const point = [random.between(0, 500), random.between(0, 500)];
    points.push(point);
    size += JSON.stringify(point).length + 1;
  }
  return { ...stroke, points };
}

function newElement(
  random: Random,
  id: string,
  type: string,
  fields: Readonly<Record<string, unknown>>,
): BoardElement {
  return {
    ...{ id, type, x: random.between(0, BOARD_PX), y: random.between(0, BOARD_PX) },
    ...{ width: 0, height: 0, angle: 0, strokeColor: random.pick(INKS) },
    ...{ backgroundColor: 'transparent', fillStyle: 'solid', strokeWidth: 2, strokeStyle: 'solid' },
    ...{ roughness: 1, opacity: 100, roundness: null, groupIds: [], frameId: null },
    ...{ boundElements: null, link: null, locked: false, index: null, seed: randomNumber(random) },
    ...{ version: 1, versionNonce: randomNumber(random), isDeleted: false, updated: 1 },
    ...fields,
  };
}

const randomNumber = (random: Random) => Math.floor(random.between(1, 2 ** 31));
