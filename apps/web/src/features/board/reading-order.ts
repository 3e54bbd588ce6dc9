import type { BoardElement, UserId } from '@mogakgong/contract';

/** A text on the board. */
export interface BoardText {
  readonly id: string;
  readonly text: string;
  /** Its author; absent until the server has it, and for a text that this learner has just written. */
  readonly authorId: UserId | undefined;
}

interface Placed extends BoardText {
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/** The texts of a board, row by row from the top, each row from the left. */
export function textsInReadingOrder(elements: Iterable<BoardElement>): readonly BoardText[] {
  const placed = [...elements].flatMap((element) => placedText(element) ?? []);
  placed.sort((one, other) => one.y - other.y || one.x - other.x);
  const rows: Placed[][] = [];
  for (const each of placed) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    // In one row with those that it stands beside by more than half of its height.
    if (row && first && each.y + each.height / 2 < first.y + first.height) row.push(each);
    else rows.push([each]);
  }
  return rows.flatMap((row) => row.sort((one, other) => one.x - other.x));
}

function placedText({
  id,
  type,
  text,
  name,
  x,
  y,
  height,
  customData,
}: BoardElement): Placed | null {
  const written = type === 'frame' ? name : text;
  if (typeof written !== 'string' || written.trim() === '') return null;
  return {
    id,
    text: written,
    authorId: customData?.authorId,
    x: Number(x),
    y: Number(y),
    height: type === 'frame' ? 0 : Number(height),
  };
}
