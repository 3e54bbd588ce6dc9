import * as z from 'zod/mini';
import { RoomId } from './ids.ts';
import { settingsRate } from './limits.ts';
import { route } from './route.ts';

/**
 * Sanctions for breaking the rules. `remove` bars a learner from one room; `suspend` and `ban` from
 * everything but the page that gives the reason.
 */
export const sanctionKinds = ['warn', 'muteChat', 'cameraOff', 'remove', 'suspend', 'ban'] as const;
export type SanctionKind = (typeof sanctionKinds)[number];

/** Lengths of a suspension, in days. */
export const suspensionDays = [1, 7, 30] as const;
/** How long a removed learner cannot enter that room again. */
export const REMOVED_HOURS = 24;

/** Rules of automatic sanctions; the pages have a text for each. */
export const automaticRules = ['sound', 'soundAgain', 'flood', 'obsceneReports'] as const;
export type AutomaticRule = (typeof automaticRules)[number];

export const APPEAL_MAX_LENGTH = 1_000;

/** Sanctions of a person that are shown, newest first, and waiting appeals, oldest first. */
export const SANCTIONS_SHOWN = 25;

export const SanctionId = z.int().check(z.positive(), z.lte(Number.MAX_SAFE_INTEGER));

/** A sanction as shown to its learner, without the reporter. */
export const OwnSanction = z.object({
  id: SanctionId,
  kind: z.enum(sanctionKinds),
  /** The rule of an automatic sanction; null if a moderator decided. */
  rule: z.nullable(z.enum(automaticRules)),
  reason: z.string(),
  /** The room that a removed learner cannot enter; for automatic sanctions the room where it happened. */
  roomId: z.nullable(RoomId),
  imposedAtMs: z.number(),
  /** Null for one without end. A warning ends when it is given. */
  endsAtMs: z.nullable(z.number()),
  /** When it was lifted before its end. */
  liftedAtMs: z.nullable(z.number()),
  /** Whether the learner has confirmed reading its latest state. */
  isAcknowledged: z.boolean(),
  appeal: z.nullable(
    z.object({
      text: z.string(),
      atMs: z.number(),
      answer: z.nullable(
        z.object({ text: z.string(), outcome: z.enum(['upheld', 'lifted']), atMs: z.number() }),
      ),
    }),
  ),
});
export type OwnSanction = z.infer<typeof OwnSanction>;

const ofSanction = z.object({ sanctionId: SanctionId });
const OwnSanctions = z.object({ sanctions: z.array(OwnSanction) });

export const getOwnSanctions = route({
  method: 'GET',
  path: '/api/sanctions/mine',
  summary: 'Sanctions of the caller, latest first',
  access: 'login',
  openTo: ['suspended'],
  reply: OwnSanctions,
  errors: ['unauthorized'],
});

export const acknowledgeSanction = route({
  method: 'POST',
  path: '/api/sanctions/:sanctionId/acknowledge',
  summary: 'Confirms that the caller has read a sanction; confirming twice changes nothing',
  access: 'login',
  openTo: ['suspended'],
  params: ofSanction,
  reply: OwnSanctions,
  errors: ['unauthorized', 'sanctionNotFound'],
});

export const appealSanction = route({
  method: 'POST',
  path: '/api/sanctions/:sanctionId/appeal',
  summary: 'Appeals a sanction: once for each',
  access: 'login',
  openTo: ['suspended'],
  params: ofSanction,
  body: z.object({
    text: z.string().check(z.minLength(1), z.maxLength(APPEAL_MAX_LENGTH)),
  }),
  reply: OwnSanctions,
  errors: ['unauthorized', 'sanctionNotFound', 'appealMade'],
  limit: settingsRate,
});
