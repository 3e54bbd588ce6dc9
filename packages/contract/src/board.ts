import * as z from 'zod/mini';
import { BoardElement, BoardImageId } from './board-element.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';
import { RoomId, UserId } from './ids.ts';
import type { BurstRate, RateLimit } from './limits.ts';
import { route } from './route.ts';

// Each call replaces the board of the whole room.
const boardClearRate: RateLimit = {
  name: 'boardClear',
  max: 5,
  windowMs: 10 * MINUTE_MS,
  per: 'user',
};

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
/** How long a cleared board can be brought back. */
export const CLEARED_BOARD_KEPT_MS = DAY_MS;

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
  /** Counted before they are read: each fault costs more than an element. */
  elements: z.pipe(z.array(z.unknown()).check(z.maxLength(100)), z.array(BoardElement)),
  /** The pointer's position on the board; null when it has left. Not stored. */
  pointer: z.optional(z.nullable(PointerPosition)),
});
export type BoardPayload = Omit<z.input<typeof BoardPayload>, 'elements'> & {
  elements: BoardElement[];
};

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
  }),
  z.object({
    kind: z.literal('changes'),
    roomId: RoomId,
    generation: z.int(),
    number: z.int(),
    elements: z.array(BoardElement),
  }),
  /** The board was cleared or brought back: a new generation, to be read in full. */
  z.object({
    kind: z.literal('replaced'),
    roomId: RoomId,
    generation: z.int(),
    number: z.int(),
  }),
  z.object({
    kind: z.literal('pointers'),
    roomId: RoomId,
    pointers: z.array(z.object({ userId: UserId, at: z.nullable(PointerPosition) })),
  }),
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
  limit: { name: 'board', max: 60, windowMs: MINUTE_MS, per: 'user' },
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
  limit: { name: 'boardImages', max: 20, windowMs: HOUR_MS, per: 'user' },
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
  limit: { name: 'boardImage', max: 300, windowMs: MINUTE_MS, per: 'user' },
});

/** The host of a room, and in a room without a host everybody in it, may clear the board and bring it back. */
export const clearBoard = route({
  method: 'POST',
  path: '/api/study-rooms/:roomId/board/clear',
  summary: `Clears the board of the caller's own room; it can be brought back for ${CLEARED_BOARD_KEPT_MS / HOUR_MS} hours`,
  access: 'login',
  params: room,
  reply: z.object({}),
  errors: ['unauthorized', 'notInThisRoom', 'notHost', 'chatMuted'],
  limit: boardClearRate,
});

export const bringBackBoard = route({
  method: 'POST',
  path: '/api/study-rooms/:roomId/board/bring-back',
  summary: 'Adds to the board what was on it when it was last cleared',
  access: 'login',
  params: room,
  reply: z.object({}),
  errors: [
    'unauthorized',
    'notInThisRoom',
    'notHost',
    'chatMuted',
    'nothingToBringBack',
    'boardFull',
  ],
  limit: boardClearRate,
});
