import { HOUR_MS, MINUTE_MS, SECOND_MS } from './durations.ts';
import type { ErrorName } from './errors.ts';

/**
 * A rate limit (design §9): at most `max` calls in any window of `windowMs`, counted per `per`.
 * RATE_LIMIT_SCALE multiplies `max`.
 */
export interface RateLimit {
  /** Of the count: routes with the same rate share it. */
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
  /** `address`: per client address; `user`: per caller. */
  readonly per: 'address' | 'user';
  /** Of a whole IPv4 /24 or IPv6 /48, beside the count per address. */
  readonly networkMax?: number;
  /** Of a day, for calls that store rows for good, and the error beyond it. */
  readonly perDay?: { readonly max: number; readonly error: ErrorName };
}

/** A sustained rate per second, and a burst. */
export interface BurstRate {
  readonly perSecond: number;
  readonly burst: number;
}

// Rates of routes in several files, or of none: the others are beside their routes.
/** All calls of an address, beside the rates of its routes. */
export const everythingRate: RateLimit = {
  name: 'everything',
  max: 600,
  windowMs: MINUTE_MS,
  per: 'address',
};
/** New accounts, also by social log-in. */
export const signupRate: RateLimit = {
  name: 'signup',
  max: 5,
  windowMs: HOUR_MS,
  per: 'address',
  networkMax: 100,
};
/**
 * Moves of the timer, and choices of its subject. Those of a day are one in 86 s around the clock: each may store an
 * interval, and a minute's rate all day would store 43,200.
 */
export const timerRate: RateLimit = {
  name: 'timer',
  max: 30,
  windowMs: MINUTE_MS,
  per: 'user',
  perDay: { max: 1_000, error: 'timerPressedTooOften' },
};
/** Rare changes of an account. */
export const settingsRate: RateLimit = {
  name: 'settings',
  max: 10,
  windowMs: MINUTE_MS,
  per: 'user',
};
/** Figures that are computed when they are asked for. */
export const statisticsRate: RateLimit = {
  name: 'statistics',
  max: 60,
  windowMs: MINUTE_MS,
  per: 'user',
};
/** A browser keeps each picture; behind one address a class enters a room of twenty. */
export const profilePictureRate: RateLimit = {
  name: 'profilePicture',
  max: 3_000,
  windowMs: MINUTE_MS,
  per: 'address',
};
/** The work of moderators. */
export const moderationRate: RateLimit = {
  name: 'moderation',
  max: 120,
  windowMs: MINUTE_MS,
  per: 'user',
};

/**
 * Wrong passwords (design §9, decision 030). For one account from one address block this many are free, then
 * one guess is allowed per wait, and each wait is twice as long; other addresses, such as the owner's, do not
 * wait. An address block has its own limit over all accounts.
 */
export const loginThrottle = {
  failures: { max: 10, windowMs: HOUR_MS },
  firstWaitMs: MINUTE_MS,
  longestWaitMs: 15 * MINUTE_MS,
  failuresPerBlock: { max: 100, windowMs: HOUR_MS },
  /** Of a whole IPv6 /48, which one customer may have. */
  failuresPerSite: { max: 1_000, windowMs: HOUR_MS },
  /**
   * For one account from all addresses together. Browsers with an earlier log-in have their own limit
   * instead, so that nobody can lock the owner out of them (decision 108).
   */
  failuresPerAccount: { max: 30, windowMs: HOUR_MS },
  failuresPerKnownBrowser: { max: 10, windowMs: HOUR_MS },
  /**
   * Correct passwords or codes of one account: so many from its known browsers together, and so many from
   * others. Each costs the server Argon2; learners log in a few times a day.
   */
  successesPerAccount: { max: 20, windowMs: 10 * MINUTE_MS },
} as const;

/**
 * Passwords that wait to be hashed or compared, in one process: how many each of known browsers, strangers
 * and sign-ups, how long, and when a refused learner may try again (decision 108).
 */
export const passwordWork = { waitingMax: 300, waitMaxMs: 2_000, retryAfterSeconds: 5 } as const;

/**
 * Mails with a link to one e-mail address, from any sender. While no more are sent, a link that sets a new
 * password (`PASSWORD_RESET_SECONDS`) is still good, so that nobody can keep the owner out by asking for them.
 */
export const linkMails = { max: 5, windowMs: 30 * MINUTE_MS } as const;

/** How long the browser waits for an answer (specification §9). */
export const REQUEST_TIMEOUT_MS = 10 * SECOND_MS;

/** Seats in a study room unless ROOM_CAPACITY says otherwise, and tiles of the grid on /main (specification §9). */
export const ROOM_CAPACITY = 20;

/** How long an access token is valid. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;
/** How long an unused log-in lasts. */
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 60 * 60;
/** How long a log-in lasts at most, however often it is used. */
export const LOGIN_MAX_SECONDS = 180 * 24 * 60 * 60;
/** How long a browser with a log-in is remembered; no cookie lasts longer. */
export const KNOWN_BROWSER_SECONDS = 400 * 24 * 60 * 60;
/** How long the second factor of a log-in may take. */
export const SECOND_FACTOR_SECONDS = 5 * 60;
/** How long the challenge of a passkey is valid. */
export const PASSKEY_CHALLENGE_SECONDS = 5 * 60;
/** How long after a log-in or re-authentication learners may change how they log in. */
export const RECENT_LOGIN_SECONDS = 15 * 60;
/** How long the link of a mail can set a new password (design §2). */
export const PASSWORD_RESET_SECONDS = 30 * 60;
/** How long the link of a mail can change an e-mail address. */
export const EMAIL_CHANGE_SECONDS = 2 * 60 * 60;
/** How long a media token can be used to connect: clients do so at once. */
export const MEDIA_TOKEN_SECONDS = 60;

/** Specification §5 and design §9. */
export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 128;
export const EMAIL_MAX_LENGTH = 254;
export const NICKNAME_MAX_LENGTH = 20;
export const INTRODUCTION_MAX_LENGTH = 200;
