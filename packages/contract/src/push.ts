import * as z from 'zod/mini';
import { MINUTE_MS } from './durations.ts';
import type { GroupId } from './ids.ts';
import { type RouteDefinition, route } from './route.ts';

/** The kinds of notifications, each off until its learner chooses it (decision 139). */
export const pushKinds = [
  'focusEnd',
  'breakEnd',
  'groupSession',
  'groupNudge',
  'friendRequest',
  'friendInvitation',
  'decision',
] as const;
const PushKind = z.enum(pushKinds);
export type PushKind = z.infer<typeof PushKind>;

/** Devices of one learner; a further one takes the place of the oldest. */
export const PUSH_DEVICES_MAX = 10;
export const PUSH_ENDPOINT_MAX_LENGTH = 1_000;

/** Minutes after midnight, by the learner's clock. */
const MinuteOfDay = z.int().check(z.gte(0), z.lt(24 * 60));

/** Nothing is sent from the one to the other, which may be of the next day. */
const QuietHours = z.object({ fromMinute: MinuteOfDay, toMinute: MinuteOfDay });
export type QuietHours = z.infer<typeof QuietHours>;

const PushChoice = z.object({
  kinds: z.array(PushKind).check(z.maxLength(pushKinds.length)),
  quiet: z.nullable(QuietHours),
});
export type PushChoice = z.infer<typeof PushChoice>;

/** Bytes in base64url, without padding. */
const bytes = (length: number) =>
  z.string().check(z.length(Math.ceil((length * 4) / 3)), z.regex(/^[A-Za-z0-9_-]*$/u));

export const PushSettings = z.extend(PushChoice, {
  /** Whether notifications come to the browser that asks, which is known by its log-in. */
  isOnHere: z.boolean(),
  /** The key with which this site signs: a browser subscribes to it (RFC 8292). */
  publicKey: bytes(65),
});
export type PushSettings = z.infer<typeof PushSettings>;

/** The content of a notification, encrypted for one browser; its service worker has the texts. */
export interface PushMessage {
  readonly kind: PushKind;
  /** The name of the thing that it is about, e.g. of a group. */
  readonly name?: string | undefined;
  /** The group of the page that it opens. */
  readonly groupId?: GroupId | undefined;
}

const ofSettings = {
  access: 'login',
  reply: PushSettings,
  errors: ['unauthorized'],
  limit: { name: 'push', max: 60, windowMs: MINUTE_MS, per: 'user' },
} as const satisfies Partial<RouteDefinition>;

export const getPushSettings = route({
  ...ofSettings,
  method: 'GET',
  path: '/api/push',
  summary: "The caller's chosen notifications, and the key to subscribe with",
});

export const choosePush = route({
  ...ofSettings,
  method: 'PUT',
  path: '/api/push',
  summary: 'Chooses notifications and quiet hours; choosing none forgets every device',
  body: PushChoice,
});

export const addPushDevice = route({
  ...ofSettings,
  method: 'PUT',
  path: '/api/push/device',
  summary: 'Sends notifications to the browser that asks, until its log-in ends',
  body: z.object({
    endpoint: z.string().check(z.maxLength(PUSH_ENDPOINT_MAX_LENGTH)),
    /** The public key and the secret of the browser (RFC 8291). */
    p256dh: bytes(65),
    auth: bytes(16),
    /** The key of the site that the browser subscribed to. */
    publicKey: bytes(65),
  }),
  errors: ['unauthorized', 'pushRefused', 'clockWrong'],
});

export const removePushDevice = route({
  ...ofSettings,
  method: 'DELETE',
  path: '/api/push/device',
  summary: 'Sends none to the browser that asks',
});
