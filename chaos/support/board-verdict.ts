import { isDeepStrictEqual } from 'node:util';
import {
  type BoardElement,
  type ElementRevision,
  type RoomId,
  supersedes,
} from '@mogakgong/contract';
import type { Painter } from './painter.ts';
import type { SiteDatabase } from './site.ts';

/** An element as the database has it. */
export interface StoredElement extends ElementRevision {
  readonly roomId: RoomId;
  readonly id: string;
  readonly isDeleted: boolean;
  readonly json: string;
}

export interface BoardVerdict {
  readonly elements: number;
  readonly deleted: number;
  /** States that were acknowledged and are neither stored nor superseded by what is. */
  readonly lost: number;
  /** Elements of which somebody has another state than the database, or none, or one too many. */
  readonly different: number;
}

/** What is on the boards of these rooms; of all without them. */
export const readBoards = (database: SiteDatabase, rooms?: readonly RoomId[]) =>
  database.query<StoredElement>(
    `select room_id::integer as "roomId", id, version::float8, version_nonce::float8 as "versionNonce",
            is_deleted as "isDeleted", json
     from board_element where $1::bigint[] is null or room_id = any($1)`,
    [rooms],
  );

/** Compares what every learner sees, and what was acknowledged, with what is stored. */
export function judgeBoards(
  painters: readonly Painter[],
  stored: readonly StoredElement[],
): BoardVerdict {
  const byId = new Map(stored.map((element) => [element.id, element]));
  const present = stored.filter(({ isDeleted }) => !isDeleted);
  const contents = Map.groupBy(present, ({ roomId }) => roomId);
  let [lost, different] = [0, 0];
  for (const { acknowledged, elements, options } of painters) {
    for (const [id, state] of acknowledged) {
      const known = byId.get(id);
      if (!known || supersedes(state, known)) lost += 1;
    }
    const content = contents.get(options.roomId) ?? [];
    different += content.filter(({ id, json }) => {
      const shown: BoardElement | undefined = elements.shown.get(id);
      return !isDeepStrictEqual(shown, JSON.parse(json));
    }).length;
    const ids = new Set(content.map(({ id }) => id));
    different += [...elements.shown.keys()].filter((id) => !ids.has(id)).length;
  }
  return { elements: present.length, deleted: stored.length - present.length, lost, different };
}
