import { pageTexts } from '../../shared/i18n/texts.ts';

/** The texts of leaderboards, and of the switch that shows a learner on them. */
export const leaderboardTexts = pageTexts({
  ko: () => import('../../shared/i18n/leaderboard.ko.json'),
  en: () => import('../../shared/i18n/leaderboard.en.json'),
});
