import * as z from 'zod/mini';
import { RoomId } from './ids.ts';
import { route } from './route.ts';

/**
 * What may be decided about a learner who breaks the rules. `remove` keeps them out of one room;
 * `suspend` and `ban` out of everything but the page that says why.
 */
export const sanctionKinds = ['warn', 'muteChat', 'cameraOff', 'remove', 'suspend', 'ban'] as const;
export type SanctionKind = (typeof sanctionKinds)[number];

/** For how many days a moderator may suspend somebody. */
export const suspensionDays = [1, 7, 30] as const;
/** How long a removed learner cannot enter that room again. */
export const REMOVED_HOURS = 24;

/** By what the product itself decides: its pages have a text for each. */
export const automaticRules = ['sound', 'soundAgain', 'flood', 'obsceneReports'] as const;
export type AutomaticRule = (typeof automaticRules)[number];

export const APPEAL_MAX_LENGTH = 1_000;

/** Sanctions of a person that are shown, newest first, and appeals that wait, oldest first. */
export const SANCTIONS_SHOWN = 25;

export const SanctionId = z.int().check(z.positive(), z.lte(Number.MAX_SAFE_INTEGER));

/** A sanction as its learner is told about it: never who reported them. */
export const OwnSanction = z.object({
  id: SanctionId,
  kind: z.enum(sanctionKinds),
  /** The rule by which the product decided by itself; null if a person decided. */
  rule: z.nullable(z.enum(automaticRules)),
  reason: z.string(),
  /** The room that a removed learner cannot enter; of the product's own rules where it happened. */
  roomId: z.nullable(RoomId),
  imposedAtMs: z.number(),
  /** Null for one without end. A warning ends when it is given. */
  endsAtMs: z.nullable(z.number()),
  /** When it was lifted before its end. */
  liftedAtMs: z.nullable(z.number()),
  /** Whether its learner has confirmed that they have read the latest about it. */
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
  summary: 'What was decided about the caller, latest first',
  access: 'login',
  openTo: ['suspended'],
  reply: OwnSanctions,
  errors: ['unauthorized'],
});

export const acknowledgeSanction = route({
  method: 'POST',
  path: '/api/sanctions/:sanctionId/acknowledge',
  summary: 'Confirms that the caller has read what was decided; confirming twice changes nothing',
  access: 'login',
  openTo: ['suspended'],
  params: ofSanction,
  reply: OwnSanctions,
  errors: ['unauthorized', 'sanctionNotFound'],
});

export const appealSanction = route({
  method: 'POST',
  path: '/api/sanctions/:sanctionId/appeal',
  summary: 'Asks a moderator to look at a decision again: once for each',
  access: 'login',
  openTo: ['suspended'],
  params: ofSanction,
  body: z.object({
    text: z.string().check(z.minLength(1), z.maxLength(APPEAL_MAX_LENGTH)),
  }),
  reply: OwnSanctions,
  errors: ['unauthorized', 'sanctionNotFound', 'appealMade'],
  limit: 'settings',
});
