import * as z from 'zod/mini';
import { MINUTE_MS } from './durations.ts';
import type { UserId } from './ids.ts';
import { route } from './route.ts';

/** The path of this origin at which our API passes signalling on to the media server. */
const DEFAULT_SIGNALLING_URL = '/livekit';

/** Address and token with which the browser of a seated learner connects to the media server. */
export const MediaAccess = z.object({
  /** Empty where the answer has none: the connection then fails as specified (§5). */
  token: z._default(z.string(), ''),
  /**
   * Address of the media server's signalling: absolute, or a path of this origin. The specification's answer
   * has none (§3).
   */
  serverUrl: z._default(z.string(), DEFAULT_SIGNALLING_URL),
});
export type MediaAccess = z.infer<typeof MediaAccess>;

export const createMediaToken = route({
  method: 'POST',
  path: '/api/livekit/token',
  summary: "A camera-only token for the room of the caller's own seat",
  access: 'login',
  body: z.object({
    /** The room id as text. */
    roomName: z.string().check(z.maxLength(20)),
    /** The caller's user id as text. */
    identity: z.string().check(z.maxLength(20)),
  }),
  reply: MediaAccess,
  errors: ['unauthorized', 'notYourself', 'notSeated', 'mediaUnavailable'],
  limit: { name: 'mediaToken', max: 30, windowMs: MINUTE_MS, per: 'user' },
  callerFields: ['body.identity'],
});

export const createConnectionTest = route({
  method: 'POST',
  path: '/api/livekit/connection-test',
  summary: 'A token for two minutes in a separate room of the media server, for the caller alone',
  access: 'login',
  reply: z.object({ token: z.string(), serverUrl: z.string() }),
  errors: ['unauthorized', 'mediaUnavailable'],
  limit: { name: 'connectionTest', max: 10, windowMs: 10 * MINUTE_MS, per: 'user' },
});

/**
 * A learner's identity in the media service: user id and seat id, so that it differs in every visit and the
 * token of an earlier visit is recognised.
 */
export const mediaIdentity = (userId: UserId, seatId: number) => `${userId}-${seatId}`;

/** The user id of an identity in the media service. */
export const userIdOfMediaIdentity = (identity: string) =>
  Number(identity.split('-', 1)[0]) as UserId;

const CAMERA_LONG_SIDE_PX = 1280;
const CAMERA_SHORT_SIDE_PX = 720;

/** Whether a camera's picture is larger than allowed, as it stands or lies; in pixels. */
export const isCameraTooLarge = ({ width, height }: { width: number; height: number }) =>
  Math.max(width, height) > CAMERA_LONG_SIDE_PX || Math.min(width, height) > CAMERA_SHORT_SIDE_PX;
