import { accountRules } from './account-rules.ts';
import type { PersonalTable } from './data-rules.ts';
import { reportRules } from './report-rules.ts';
import { studyRules } from './study-rules.ts';

/**
 * Every table with personal data: its export, its deletion, and how long it is kept. In the order of
 * deletion: a table comes before those that its rows refer to.
 */
export const personalTables: Readonly<Record<string, PersonalTable>> = {
  ...accountRules,
  ...studyRules,
  ...reportRules,
};
