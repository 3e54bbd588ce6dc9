import * as z from 'zod/mini';
import { HOUR_MS, MINUTE_MS } from './durations.ts';
import { FollowedPhases, type TodayFigures, todayMs } from './focus/clock.ts';
import { RoomId, UserId } from './ids.ts';
import { type RateLimit, settingsRate } from './limits.ts';
import { route } from './route.ts';
import { ServerTimeMs } from './server-time.ts';

const leaderboardsRate: RateLimit = {
  name: 'leaderboards',
  max: 60,
  windowMs: MINUTE_MS,
  per: 'user',
};

/**
 * The most focus of one day that a leaderboard counts: a clock that was left running wins nothing (decision
 * 099).
 */
export const LEADERBOARD_DAY_MAX_MS = 16 * HOUR_MS;

/**
 * Levels by total focus, in hours. 10, 100 and 1,000 hours are those of the titles of total focus; with the
 * steps between them each level takes about three times the last.
 */
export const STUDY_LEVELS = [
  { name: 'ember', fromHours: 0 },
  { name: 'candle', fromHours: 10 },
  { name: 'oilLamp', fromHours: 30 },
  { name: 'lantern', fromHours: 100 },
  { name: 'streetLamp', fromHours: 300 },
  { name: 'lighthouse', fromHours: 1_000 },
] as const;
export type StudyLevel = (typeof STUDY_LEVELS)[number]['name'];

/** The level of a total focus. */
export function studyLevelOf(totalFocusMs: number): StudyLevel {
  const reached = STUDY_LEVELS.findLast(({ fromHours }) => totalFocusMs >= fromHours * HOUR_MS);
  return (reached ?? STUDY_LEVELS[0]).name;
}

/** The level after that of a total focus, and how much focus is left to it; null at the last. */
export function nextStudyLevel(
  totalFocusMs: number,
): { readonly name: StudyLevel; readonly leftMs: number } | null {
  const next = STUDY_LEVELS.find(({ fromHours }) => totalFocusMs < fromHours * HOUR_MS);
  return next ? { name: next.name, leftMs: next.fromHours * HOUR_MS - totalFocusMs } : null;
}

/** A learner on a leaderboard, with the state needed to continue counting without a request. */
const LeaderboardPerson = z.object({
  userId: UserId,
  nickname: z.string(),
  profileImage: z.string(),
  level: z.enum(STUDY_LEVELS.map(({ name }) => name)),
  /** As in `Today`: in closed intervals of their own day; at most LEADERBOARD_DAY_MAX_MS. */
  focusMs: z.int(),
  runningSinceMs: z.nullable(ServerTimeMs),
  dayEndsAtMs: ServerTimeMs,
  phases: z.optional(FollowedPhases),
});
export type LeaderboardPerson = z.infer<typeof LeaderboardPerson>;

/** Focused today as a leaderboard shows it, at a moment of the server's time. */
export function leaderboardMs(figures: TodayFigures, serverNowMs: number): number {
  return Math.min(LEADERBOARD_DAY_MAX_MS, todayMs(figures, serverNowMs));
}

/** A leaderboard as its members see it; other callers learn only that they are not on it (decision 099). */
const Leaderboard = z.object({
  /** Whether the caller is shown on leaderboards. */
  isOn: z.boolean(),
  /** Unordered, the caller included; empty unless `isOn`. */
  people: z.array(LeaderboardPerson),
  /** The caller's total focus; null unless `isOn`. */
  ownTotalMs: z.nullable(z.int()),
  serverNowMs: ServerTimeMs,
});
export type Leaderboard = z.infer<typeof Leaderboard>;

const LeaderboardSetting = z.object({ isOn: z.boolean() });
export type LeaderboardSetting = z.infer<typeof LeaderboardSetting>;

export const getRoomLeaderboard = route({
  method: 'GET',
  path: '/api/study-rooms/:roomId/leaderboard',
  summary: "Today's focus and level of learners in the caller's room, if shown on leaderboards",
  access: 'login',
  params: z.object({ roomId: RoomId }),
  reply: Leaderboard,
  errors: ['unauthorized', 'notSeated'],
  limit: leaderboardsRate,
});

export const getFriendsLeaderboard = route({
  method: 'GET',
  path: '/api/friends/leaderboard',
  summary: "Today's focus and level of the caller's friends, if shown on leaderboards",
  access: 'login',
  reply: Leaderboard,
  errors: ['unauthorized'],
  limit: leaderboardsRate,
});

export const getLeaderboardSetting = route({
  method: 'GET',
  path: '/api/user/settings/leaderboards',
  summary: 'Whether the caller is shown on leaderboards; off by default',
  access: 'login',
  reply: LeaderboardSetting,
  errors: ['unauthorized'],
});

export const putLeaderboardSetting = route({
  method: 'PUT',
  path: '/api/user/settings/leaderboards',
  summary: 'Shows the caller on leaderboards, or takes them off every one at once',
  access: 'login',
  body: LeaderboardSetting,
  reply: LeaderboardSetting,
  errors: ['unauthorized'],
  limit: settingsRate,
});
