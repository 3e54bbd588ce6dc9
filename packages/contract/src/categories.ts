import * as z from 'zod/mini';

/** The kinds of study by which rooms and groups are found. */
export const STUDY_CATEGORIES = [
  'csat',
  'civil_service',
  'certificate',
  'development',
  'language',
  'university',
  'other',
] as const;

export const StudyCategory = z.enum(STUDY_CATEGORIES);
export type StudyCategory = z.infer<typeof StudyCategory>;
