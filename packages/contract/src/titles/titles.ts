import * as z from 'zod/mini';

/** The key that means "no title" (specification §3). */
export const NO_TITLE_KEY = 'no-title';

/** How far a learner is on the way to a title, in its own unit. */
export const TitleProgress = z.object({
  unit: z.enum(['seconds', 'days', 'times']),
  current: z.int(),
  target: z.int(),
});
export type TitleProgress = z.infer<typeof TitleProgress>;

/** A title of the catalogue (specification §3); name and description in the reader's language. */
export const CatalogueTitle = z.object({
  titleId: z.int(),
  key: z.string(),
  name: z.string(),
  description: z.string(),
  /** The name of a drawing that the browser has. */
  icon: z.string(),
  type: z.enum(['first', 'hours', 'streak', 'day', 'time', 'days']),
});
export type CatalogueTitle = z.infer<typeof CatalogueTitle>;

/** A title as one learner has it, or not yet. */
export const OwnTitle = z.extend(CatalogueTitle, {
  /** ISO 8601; null while it is not won. */
  acquiredAt: z.nullable(z.string()),
  /** Worn on tiles and in the header. */
  isRepresent: z.boolean(),
  progress: TitleProgress,
});
export type OwnTitle = z.infer<typeof OwnTitle>;

/** GET /api/titles, and GET /api/titles/{userId}/list. */
export const TitleCatalogue = z.array(CatalogueTitle);
export const OwnTitles = z.array(OwnTitle);

/** POST /api/titles/{userId}/equip?titleId={id} (specification §3, §7). */
export const EquippedTitle = z.object({
  titleId: z.int(),
  key: z.string(),
  name: z.string(),
  description: z.string(),
  icon: z.string(),
  type: z.string(),
  acquiredAt: z.string(),
});
export type EquippedTitle = z.infer<typeof EquippedTitle>;
