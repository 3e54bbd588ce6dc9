import * as z from 'zod/mini';
import { BoardElement, BoardImageId } from './board-element.ts';
import { RoomId, UserId } from './ids.ts';
import type { BurstRate } from './limits.ts';
import { route } from './route.ts';

/** Maximum number of elements of a board that are not deleted. */
export const BOARD_ELEMENTS_MAX = 2_000;
/** Maximum size of the JSON of all elements of a board. */
export const BOARD_MAX_BYTES = 2 * 1024 * 1024;
/**
 * Maximum size of the JSON of one element, which must fit into one frame. Longer strokes are simplified
 * before they are sent.
 */
export const BOARD_ELEMENT_MAX_BYTES = 14 * 1024;
/** The largest picture on a board, after it was re-encoded. */
export const BOARD_IMAGE_MAX_BYTES = 1024 * 1024;
/** Maximum number of pictures of one board. */
export const BOARD_IMAGES_MAX = 50;
/**
 * Bytes of boards that may be read in a minute. A learner: twelve openings of a full board. A room: counted
 * only for learners beyond their first three full boards, so that no neighbour takes a board away.
 */
export const boardReading = {
  learnerBytes: 13 * BOARD_MAX_BYTES,
  uncountedBytes: 3 * BOARD_MAX_BYTES,
  roomBytes: 40 * BOARD_MAX_BYTES,
  windowMs: 60_000,
} as const;
/** Bytes of pictures that may be read in a minute, as above: a learner opens a full board three times. */
export const boardPictureReading = {
  learnerBytes: 3 * BOARD_IMAGES_MAX * BOARD_IMAGE_MAX_BYTES,
  uncountedBytes: BOARD_IMAGES_MAX * BOARD_IMAGE_MAX_BYTES,
  roomBytes: 10 * BOARD_IMAGES_MAX * BOARD_IMAGE_MAX_BYTES,
  windowMs: 60_000,
} as const;
/** How often a learner may send changes, in all tabs together. */
export const boardRate: BurstRate = { perSecond: 20, burst: 40 };
/** Interval at which the browser sends drawn elements and the pointer's position. */
export const BOARD_SEND_EVERY_MS = 50;
export const BOARD_POINTER_EVERY_MS = 100;
/** Interval at which a changing board is kept as a version, and how long versions are kept. */
export const BOARD_VERSION_EVERY_MS = 5 * 60_000;
export const BOARD_VERSIONS_KEPT_MS = 24 * 60 * 60_000;
/** Duration of a vote. It passes with more than half of the learners in the room. */
export const BOARD_VOTE_MS = 60_000;
/** Maximum number of personal copies of boards of one learner. */
export const BOARD_COPIES_MAX = 20;

const Coordinate = z.number().check(z.gte(-1e7), z.lte(1e7));
const PointerPosition = z.object({ x: Coordinate, y: Coordinate });

/**
 * The body that a client sends to `/pub/board`. With elements it asks for a receipt, whose header `number` is
 * the board's number that includes them; on an ERROR nothing is stored.
 */
export const BoardPayload = z.object({
  roomId: RoomId,
  /** The generation that the elements were drawn on; elements of an earlier one are refused. */
  generation: z.int(),
  elements: z.array(BoardElement).check(z.maxLength(100)),
  /** The pointer's position on the board; null when it has left. Not stored. */
  pointer: z.optional(z.nullable(PointerPosition)),
});
export type BoardPayload = z.input<typeof BoardPayload>;

/** A vote about emptying the board or restoring a version. */
export const BoardVote = z.object({
  id: z.string(),
  /** Null if the vote is about emptying the board. */
  versionId: z.nullable(z.int()),
  openedBy: UserId,
  /** By the server's clock. */
  endsAtMs: z.number(),
  agreed: z.array(UserId),
  refused: z.array(UserId),
  /** Number of votes needed to pass. */
  needed: z.int(),
});
export type BoardVote = z.infer<typeof BoardVote>;

/**
 * Messages of `/topic/board`. `start` comes first: the client then asks `getBoard` for what it lacks.
 * `changes` and `replaced` each count the board's number up by one; a client that misses one asks `getBoard`.
 */
export const BoardMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('start'),
    roomId: RoomId,
    generation: z.int(),
    number: z.int(),
    vote: z.nullable(BoardVote),
  }),
  z.object({
    kind: z.literal('changes'),
    roomId: RoomId,
    generation: z.int(),
    number: z.int(),
    elements: z.array(BoardElement),
  }),
  /** The board was emptied or a version was restored: a new generation, to be read in full. */
  z.object({
    kind: z.literal('replaced'),
    roomId: RoomId,
    generation: z.int(),
    number: z.int(),
    by: z.nullable(UserId),
  }),
  z.object({
    kind: z.literal('pointers'),
    roomId: RoomId,
    pointers: z.array(z.object({ userId: UserId, at: z.nullable(PointerPosition) })),
  }),
  z.object({ kind: z.literal('vote'), roomId: RoomId, vote: z.nullable(BoardVote) }),
]);
export type BoardMessage = z.infer<typeof BoardMessage>;

const room = z.object({ roomId: RoomId });
const image = z.object({ roomId: RoomId, imageId: BoardImageId });

export const getBoard = route({
  method: 'GET',
  path: '/api/study-rooms/:roomId/board',
  summary: "The board of the caller's own room: all of it, or what changed after a number",
  access: 'login',
  params: room,
  query: z.object({
    /** The generation and number up to which the caller has the board. */
    generation: z.optional(z.int().check(z.gte(0))),
    since: z.optional(z.int().check(z.gte(0))),
  }),
  reply: z.object({
    generation: z.int(),
    number: z.int(),
    /** Whether `elements` is complete: any other element that the caller holds was deleted. */
    isWhole: z.boolean(),
    elements: z.array(BoardElement),
  }),
  errors: ['unauthorized', 'notInThisRoom'],
  limit: 'board',
});

export const addBoardImage = route({
  method: 'POST',
  path: '/api/study-rooms/:roomId/board/images',
  summary:
    'Stores a picture for the board, re-encoded; an element of type `image` names it as `fileId`',
  access: 'login',
  params: room,
  body: z.object({ image: z.file() }),
  bodyType: 'multipart',
  reply: z.object({ imageId: z.string() }),
  errors: [
    'unauthorized',
    'notInThisRoom',
    'chatMuted',
    'unsupportedMediaType',
    'imageUnsupported',
    'imageUnreadable',
    'imageTooManyPixels',
    'boardFull',
  ],
  limit: 'boardImages',
});

export const getBoardImage = route({
  method: 'GET',
  path: '/api/study-rooms/:roomId/board/images/:imageId',
  summary: "A picture on the board of the caller's own room",
  access: 'login',
  params: image,
  reply: z.file(),
  replyType: 'image/webp',
  errors: ['unauthorized', 'notInThisRoom', 'notFound'],
  limit: 'boardImage',
});

const BoardVersion = z.object({
  id: z.int(),
  takenAt: z.string(),
  elements: z.int(),
});
export type BoardVersion = z.infer<typeof BoardVersion>;

export const getBoardVersions = route({
  method: 'GET',
  path: '/api/study-rooms/:roomId/board/versions',
  summary: "Earlier versions of the board of the caller's own room, newest first",
  access: 'login',
  params: room,
  reply: z.object({ versions: z.array(BoardVersion) }),
  errors: ['unauthorized', 'notInThisRoom'],
  limit: 'board',
});

export const replaceBoard = route({
  method: 'POST',
  path: '/api/study-rooms/:roomId/board/replace',
  summary:
    'Empties the board or restores a version. The host does so at once; in a room without a host and with others, it opens a vote',
  access: 'login',
  params: room,
  /** Null: the board is emptied. */
  body: z.object({ versionId: z.nullable(z.int()) }),
  reply: z.object({ vote: z.nullable(BoardVote) }),
  errors: ['unauthorized', 'notInThisRoom', 'notHost', 'boardVersionNotFound', 'boardVoteOpen'],
  limit: 'boardReplace',
});

export const voteOnBoard = route({
  method: 'POST',
  path: '/api/study-rooms/:roomId/board/vote',
  summary: 'Agrees or refuses in the vote that is open on the board',
  access: 'login',
  params: room,
  body: z.object({ voteId: z.string().check(z.maxLength(40)), agrees: z.boolean() }),
  /** Null: the vote has ended by this. */
  reply: z.object({ vote: z.nullable(BoardVote) }),
  errors: ['unauthorized', 'notInThisRoom', 'boardVoteEnded'],
  limit: 'boardVote',
});

/** A personal copy of a board, visible only to its owner. */
const BoardCopy = z.object({
  id: z.int(),
  name: z.string(),
  copiedAt: z.string(),
  elements: z.int(),
});
export type BoardCopy = z.infer<typeof BoardCopy>;

const copy = z.object({ copyId: z.int().check(z.gte(1)) });

export const copyBoard = route({
  method: 'POST',
  path: '/api/study-rooms/:roomId/board/copies',
  summary: 'Stores a copy of the present board, for the caller alone',
  access: 'login',
  params: room,
  reply: BoardCopy,
  errors: ['unauthorized', 'notInThisRoom', 'tooManyBoardCopies'],
  limit: 'board',
});

export const getBoardCopies = route({
  method: 'GET',
  path: '/api/board-copies',
  summary: "The caller's copies of boards, newest first",
  access: 'login',
  reply: z.object({ copies: z.array(BoardCopy) }),
  errors: ['unauthorized'],
  limit: 'board',
});

export const getBoardCopy = route({
  method: 'GET',
  path: '/api/board-copies/:copyId',
  summary: "A copy of the caller's, with its elements",
  access: 'login',
  params: copy,
  reply: z.object({ copy: BoardCopy, elements: z.array(BoardElement) }),
  errors: ['unauthorized', 'notFound'],
  limit: 'board',
});

export const getBoardCopyImage = route({
  method: 'GET',
  path: '/api/board-copies/:copyId/images/:imageId',
  summary: "A picture on a copy of the caller's",
  access: 'login',
  params: z.object({ ...copy.shape, imageId: BoardImageId }),
  reply: z.file(),
  replyType: 'image/webp',
  errors: ['unauthorized', 'notFound'],
  limit: 'boardImage',
});

export const deleteBoardCopy = route({
  method: 'DELETE',
  path: '/api/board-copies/:copyId',
  summary: "Deletes a copy of the caller's",
  access: 'login',
  params: copy,
  reply: z.object({}),
  errors: ['unauthorized', 'notFound'],
  limit: 'board',
});
