import * as z from 'zod/mini';
import { UserId } from './ids.ts';

/** Identifies an element on its board; drawn at random by the browser that makes it. */
export const BoardElementId = z.string().check(z.regex(/^[\w-]{1,40}$/u));

/** Names a picture on a board: the hash of its bytes. */
export const BoardImageId = z.string().check(z.regex(/^[0-9a-f]{64}$/u));

/**
 * Version and nonce, which decide between two states of one element (rule of Excalidraw's
 * `reconcileElements`).
 */
export interface ElementRevision {
  readonly version: number;
  readonly versionNonce: number;
}

/**
 * Whether one state of an element replaces another: the higher version wins; of equal ones the lower nonce.
 * The order is total, so all clients end with the same state, in whatever order states arrive.
 */
export function supersedes(next: ElementRevision, known: ElementRevision): boolean {
  if (next.version !== known.version) return next.version > known.version;
  return next.versionNonce < known.versionNonce;
}

/**
 * An element of Excalidraw 0.18; the server knows more of its fields (`board-element.ts`). The server sets
 * `customData` to the author and, if different, the last editor; it ignores what a client sends there.
 */
export const BoardElement = z.looseObject({
  id: BoardElementId,
  type: z.string().check(z.maxLength(20)),
  version: z.int().check(z.gte(1)),
  versionNonce: z.int().check(z.gte(0)),
  isDeleted: z.boolean(),
  customData: z.optional(
    z.looseObject({ authorId: z.optional(UserId), changedById: z.optional(UserId) }),
  ),
});
export type BoardElement = z.infer<typeof BoardElement>;
