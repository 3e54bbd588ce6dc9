import * as z from 'zod/mini';
import { MINUTE_MS } from './durations.ts';
import type { PageErrorName } from './errors.ts';
import { UserId } from './ids.ts';
import { consentNames } from './legal-versions.ts';
import {
  EMAIL_MAX_LENGTH,
  INTRODUCTION_MAX_LENGTH,
  NICKNAME_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  signupRate,
} from './limits.ts';
import { Role } from './roles.ts';
import { route } from './route.ts';
import { NO_TITLE_KEY, WornTitle } from './titles/titles.ts';

/** Values that the specification's client sends when the learner enters none (§3, §7). */
export const DEFAULT_INTRODUCTION = '안녕하세요!';
export const DEFAULT_PROFILE_IMAGE = 'default.jpg';

export const Consents = z.object({ age: z.boolean(), terms: z.boolean(), privacy: z.boolean() });
export type Consents = z.infer<typeof Consents>;

export const AccessToken = z.object({ token: z.string() });

/** Result of a correct password or of a provider: a token, or the request for a second factor. */
const LoginReply = z.object({
  token: z.optional(z.string()),
  /** Set only if the account has a second factor: `finishLogin` takes the code and answers the token. */
  needsSecondFactor: z.optional(z.literal(true)),
});

export const SignupPayload = z.object({
  email: z.string().check(z.maxLength(EMAIL_MAX_LENGTH)),
  password: z.string().check(z.maxLength(PASSWORD_MAX_LENGTH)),
  nickname: z.string().check(z.maxLength(100)),
  introduction: z._default(
    z.string().check(z.maxLength(INTRODUCTION_MAX_LENGTH)),
    DEFAULT_INTRODUCTION,
  ),
  profileImage: z._default(z.literal(DEFAULT_PROFILE_IMAGE), DEFAULT_PROFILE_IMAGE),
  socialProvider: z._default(z.literal('LOCAL'), 'LOCAL'),
  consents: z._default(Consents, { age: false, terms: false, privacy: false }),
});
export type SignupPayload = z.output<typeof SignupPayload>;

export const signup = route({
  method: 'POST',
  path: '/api/auth/signup',
  summary: 'Creates an account',
  access: 'open',
  body: SignupPayload,
  reply: z.object({ userId: z.optional(UserId) }),
  errors: [
    'signupFieldsMissing',
    'consentsMissing',
    'emailMalformed',
    'weakPassword',
    'commonPassword',
    'nicknameMalformed',
    'emailTaken',
    'nicknameTaken',
  ],
  limit: signupRate,
});

export const checkEmail = route({
  method: 'POST',
  path: '/api/auth/check-email',
  summary: 'Says whether an e-mail address may be used to sign up',
  access: 'open',
  body: z.object({ email: z.string().check(z.maxLength(EMAIL_MAX_LENGTH)) }),
  reply: z.object({ available: z.boolean() }),
  errors: ['emailMissing', 'emailMalformed', 'emailTaken'],
  limit: { name: 'emailCheck', max: 20, windowMs: MINUTE_MS, per: 'address' },
});

export const login = route({
  method: 'POST',
  path: '/api/auth/login',
  summary:
    'Logs in: answers an access token and sets the refresh cookie, or asks for a second factor',
  access: 'open',
  body: z.object({
    email: z.string().check(z.maxLength(EMAIL_MAX_LENGTH)),
    password: z.string().check(z.maxLength(PASSWORD_MAX_LENGTH)),
  }),
  reply: LoginReply,
  errors: ['loginFieldsMissing', 'wrongCredentials'],
});

export const refresh = route({
  method: 'POST',
  path: '/api/auth/refresh',
  summary: 'Exchanges the refresh cookie for a new access token and a new cookie',
  access: 'open',
  reply: AccessToken,
  errors: ['sessionEnded', 'forbidden'],
  limit: { name: 'refresh', max: 60, windowMs: MINUTE_MS, per: 'address' },
});

export const logout = route({
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'Ends the log-in of the refresh cookie and of the access token, and clears the cookie',
  access: 'open',
  reply: z.object({ loggedOut: z.boolean() }),
  errors: ['forbidden'],
});

export const getProfile = route({
  method: 'GET',
  path: '/api/user/profile',
  summary: "The caller's profile",
  access: 'login',
  openTo: ['leaving', 'consents', 'suspended'],
  // The specification's answer has e-mail, nickname and picture, and the title on the profile page alone (§3).
  reply: z.object({
    userId: z.optional(UserId),
    email: z.string(),
    nickname: z.string(),
    introduction: z._default(z.string(), ''),
    profileImage: z.string(),
    /** False if the learner logs in only through a provider. */
    hasPassword: z._default(z.boolean(), true),
    role: z._default(Role, 'member'),
    /** The title they wear, or `no-title` with its default name (specification §3). */
    selectedTitle: z._default(WornTitle, { key: NO_TITLE_KEY, name: '', icon: '' }),
    /**
     * Whether the learner has won a title to wear. Optional, like every field that an API of the previous
     * version does not send.
     */
    hasWonTitle: z.optional(z.boolean()),
    /** Whether a friend request waits for the learner's answer; optional likewise. */
    hasFriendRequest: z.optional(z.boolean()),
  }),
  errors: ['unauthorized', 'userNotFound'],
});

/**
 * One `@` between two parts without spaces, a dot in the second (specification §5). ASCII only: other
 * letters have more than one lower case and forms that look the same. No dot at the end: with it a domain is the
 * same one under another name.
 */
const EMAIL_FORMAT = /^[!-?A-~]+@[!-?A-~]+\.[!-?A-~]+(?<!\.)$/u;

/** The rule that an address breaks, or null (specification §5). */
export function emailProblem(email: string): PageErrorName | null {
  if (email.trim() === '') return 'emailMissing';
  if (email.length > EMAIL_MAX_LENGTH || !EMAIL_FORMAT.test(email)) return 'emailMalformed';
  return null;
}

/** The rule that a new password breaks, or null (specification §5, design §9). */
export function passwordProblem(password: string): PageErrorName | null {
  const isStrong =
    password.length >= PASSWORD_MIN_LENGTH &&
    password.length <= PASSWORD_MAX_LENGTH &&
    /[A-Za-z]/u.test(password) &&
    /[0-9]/u.test(password) &&
    /[^A-Za-z0-9\s]/u.test(password);
  return isStrong ? null : 'weakPassword';
}

/** A name or other line as it is stored: trimmed, one space between words, composed by `form`. */
export function normalizeLine(line: string, form: 'NFC' | 'NFKC'): string {
  return line
    .normalize(form)
    .replace(/[\t\p{Zs}]+/gu, ' ')
    .trim();
}

/** The form a nickname is stored in, with composed Hangul. */
export const normalizeNickname = (nickname: string): string => normalizeLine(nickname, 'NFC');

/**
 * Characters not allowed in a line that others read: control, formatting, private and unassigned characters,
 * invisible fillers, blank Braille and placeholder characters.
 */
const UNDRAWN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\ufffd]/u;
/** Marks without a letter, or more on one than any language writes, overlap their neighbours. */
const STACKED_MARKS = /(?:^|\s)\p{M}|\p{M}{3}/u;

/** Whether others can read a line after `normalizeLine`: something is drawn, nothing is hidden. */
export function isReadableLine(line: string, maxLength: number): boolean {
  return (
    [...line].length <= maxLength &&
    !UNDRAWN.test(line) &&
    !STACKED_MARKS.test(line) &&
    /[\p{L}\p{N}\p{S}\p{P}]/u.test(line)
  );
}

/** The rule that a nickname breaks after `normalizeNickname`, or null. */
export function nicknameProblem(nickname: string): PageErrorName | null {
  return isReadableLine(nickname, NICKNAME_MAX_LENGTH) ? null : 'nicknameMalformed';
}

/**
 * The first rule that a sign-up breaks, or null, in the order in which the form reports them
 * (specification §5). Only the server knows whether e-mail and nickname are free.
 */
export function signupProblem(
  payload: Pick<SignupPayload, 'email' | 'password' | 'nickname' | 'consents'>,
): PageErrorName | null {
  const nickname = normalizeNickname(payload.nickname);
  if (payload.email.trim() === '' || payload.password === '' || nickname === '') {
    return 'signupFieldsMissing';
  }
  if (!consentNames.every((name) => payload.consents[name])) return 'consentsMissing';
  return (
    emailProblem(payload.email.trim()) ??
    passwordProblem(payload.password) ??
    nicknameProblem(nickname)
  );
}
