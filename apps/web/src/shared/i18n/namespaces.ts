import { pageTexts, type TranslateWith } from './texts.ts';

/** Log-in, sign-up, the learner's account and settings, help. */
export const accountTexts = pageTexts({
  ko: () => import('./account.ko.json'),
  en: () => import('./account.en.json'),
});
export type AccountText = TranslateWith<typeof accountTexts>;

/** All that a learner sees and does inside a room. */
export const roomTexts = pageTexts({
  ko: () => import('./room.ko.json'),
  en: () => import('./room.en.json'),
});
export type RoomText = TranslateWith<typeof roomTexts>;

/** The page that the link of a room opens. */
export const invitationTexts = pageTexts({
  ko: () => import('./invitation.ko.json'),
  en: () => import('./invitation.en.json'),
});

/** The open chat panel. */
export const chatTexts = pageTexts({
  ko: () => import('./chat.ko.json'),
  en: () => import('./chat.en.json'),
});

/** The pages of friends, and what a room says about them. */
export const friendsTexts = pageTexts({
  ko: () => import('./friends.ko.json'),
  en: () => import('./friends.en.json'),
});

/** The learner's own study: home, totals, titles, subjects, leaderboard. */
export const studyTexts = pageTexts({
  ko: () => import('./study.ko.json'),
  en: () => import('./study.en.json'),
});
export type StudyText = TranslateWith<typeof studyTexts>;

/** How to mend a camera, and the keys of the room. */
export const helpTexts = pageTexts({
  ko: () => import('./help.ko.json'),
  en: () => import('./help.en.json'),
});

/** The whiteboard and its tools. */
export const boardTexts = pageTexts({
  ko: () => import('./board.ko.json'),
  en: () => import('./board.en.json'),
});
export type BoardText = TranslateWith<typeof boardTexts>;

/** Warnings, restrictions and appeals. */
export const sanctionTexts = pageTexts({
  ko: () => import('./sanctions.ko.json'),
  en: () => import('./sanctions.en.json'),
});
export type SanctionText = TranslateWith<typeof sanctionTexts>;

/** The categories of rooms and groups, the search for them, and the form of a room. */
export const categoryTexts = pageTexts({
  ko: () => import('./category.ko.json'),
  en: () => import('./category.en.json'),
});

/** The page of statistics. */
export const statisticsTexts = pageTexts({
  ko: () => import('./statistics.ko.json'),
  en: () => import('./statistics.en.json'),
});
export type StatisticsText = TranslateWith<typeof statisticsTexts>;

/** The learner's goals, tasks and exam days. */
export const planTexts = pageTexts({
  ko: () => import('./plan.ko.json'),
  en: () => import('./plan.en.json'),
});

/** Study groups. */
export const groupsTexts = pageTexts({
  ko: () => import('./groups.ko.json'),
  en: () => import('./groups.en.json'),
});
export type GroupsText = TranslateWith<typeof groupsTexts>;

/** The pages of moderators and developers. */
export const moderationTexts = pageTexts({
  ko: () => import('./moderation.ko.json'),
  en: () => import('./moderation.en.json'),
});
export type ModerationText = TranslateWith<typeof moderationTexts>;

/** The landing page and the legal texts, which are prerendered. */
export const openTexts = pageTexts({
  ko: () => import('./open.ko.json'),
  en: () => import('./open.en.json'),
});

/** Notifications while the page is closed: their settings, and what the service worker shows. */
export const pushTexts = pageTexts({
  ko: () => import('./push.ko.json'),
  en: () => import('./push.en.json'),
});
