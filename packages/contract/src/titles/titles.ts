import * as z from 'zod/mini';
import { withAdditions } from '../route.ts';

/** Means "no title" (specification §3). */
export const NO_TITLE_KEY = 'no-title';
export const NO_TITLE_ID = 0;

/** The name of "no title" (specification §3). */
export const noTitleNames = {
  ko: '대표 칭호를 설정해주세요!',
  en: 'Choose a title!',
} as const;

/** A learner's progress towards a title, in its unit; at most the target. */
export const TitleProgress = z.object({
  unit: z.enum(['seconds', 'days', 'times']),
  current: z.int(),
  target: z.int(),
});
export type TitleProgress = z.infer<typeof TitleProgress>;

/** The kind of achievement: first day, total hours, days in a row, one day, times, days in all. */
export const TitleType = z.enum(['first', 'hours', 'streak', 'day', 'time', 'days']);
export type TitleType = z.infer<typeof TitleType>;

/** A title of the catalogue (specification §3); name and description in the reader's language. */
export const CatalogueTitle = z.object({
  titleId: z.int(),
  key: z.string(),
  name: z.string(),
  description: z.string(),
  /** The name of an icon of the browser application. */
  icon: z.string(),
  type: TitleType,
});
export type CatalogueTitle = z.infer<typeof CatalogueTitle>;

/** A title with one learner's progress. */
export const OwnTitle = z.extend(CatalogueTitle, {
  /** ISO 8601; null while it is not won; empty where the answer does not say when. */
  acquiredAt: z.nullable(z.string()),
  /** Worn on tiles and in the header. */
  isRepresent: z.boolean(),
  progress: TitleProgress,
});
export type OwnTitle = z.infer<typeof OwnTitle>;

/**
 * A title of the specification's list (§3), which holds titles that the learner may wear, without date and
 * progress; the worn one is marked by any of three names.
 */
export function readOwnTitle(title: unknown): unknown {
  const marks = Object(title) as Record<string, unknown>;
  return withAdditions(title, {
    type: 'first',
    acquiredAt: '',
    isRepresent: marks.isRepresentative ?? marks.representative ?? false,
    progress: { unit: 'times', current: 1, target: 1 },
  });
}

/** GET /api/titles, and GET /api/titles/{userId}/list. */
export const TitleCatalogue = z.array(CatalogueTitle);
export const OwnTitles = z.array(OwnTitle);

/** A title as it is worn, on a profile and on tiles (specification §3). */
export const WornTitle = z.object({ key: z.string(), name: z.string(), icon: z.string() });
export type WornTitle = z.infer<typeof WornTitle>;

/** POST /api/titles/{userId}/equip?titleId={id} (specification §3, §7). */
export const EquippedTitle = z.object({
  /** 0 for no title, with the key `no-title`. */
  titleId: z.int(),
  /** Empty where the answer is the specification's: id, name and description. */
  key: z._default(z.string(), ''),
  name: z.string(),
  description: z.string(),
  icon: z._default(z.string(), ''),
  type: z._default(z.string(), ''),
  /** ISO 8601; null for no title. */
  acquiredAt: z._default(z.nullable(z.string()), null),
});
export type EquippedTitle = z.infer<typeof EquippedTitle>;

/** A title that has just been won, as every tab of the learner is notified; its texts are in the catalogue. */
export const WonTitle = z.object({
  titleId: z.int(),
  key: z.string(),
  icon: z.string(),
  acquiredAt: z.string(),
});
export type WonTitle = z.infer<typeof WonTitle>;
