/**
 * Everything that pages keep in the browser, by key (specification §9). Only these names may be written: the
 * privacy policy lists them all, and a test compares. public/theme.js reads three of them.
 */
export const storageKeys = {
  /** The auth state (specification §4). */
  session: 'mogakgong.auth',
  /** The access token, beside the session. */
  token: 'mogakgong.token',
  blocked: 'mogakgong.blocked',
  theme: 'mogakgong.theme',
  shortcuts: 'mogakgong.shortcuts',
  /** The background sound and its volume. */
  ambient: 'mogakgong.ambient',
  /** Whether the own background is blurred. */
  blur: 'mogakgong.blur',
  pomodoro: 'mogakgong.pomodoro',
  /** How the own picture is shown in the room. */
  roomView: 'mogakgong.room-view',
  /** The tab that shows the room. */
  roomTab: 'mogakgong.room-tab',
  /** The seat that the tab holds, over a reload; per tab. */
  seat: 'mogakgong.seat',
  /** The camera that the learner chose. */
  camera: 'mogakgong.camera',
  /** Whether data is saved, and whether that may start automatically. */
  saveData: 'mogakgong.save-data',
  /** The invitation that the tab opened, over log-in and sign-up; per tab, to a group with a suffix. */
  invitation: 'mogakgong.invitation',
  /** The friend link that the tab opened, likewise. */
  friendLink: 'mogakgong.friend-link',
  /** Messages typed in a room and not sent; per tab, suffixed with learner and room. */
  unsent: 'mogakgong.chat-unsent',
  /** The room of the open chat in this tab: it is open again after a reload. */
  openChat: 'mogakgong.chat-open',
  /** Breaks and returns that the server does not know yet; per tab, suffixed with learner and room. */
  unsentPresses: 'mogakgong.timer-unsent',
  /** The learner refused the offer of a day that starts at 05:00; suffixed with the learner. */
  dayStart: 'mogakgong.day-start',
  /** Drawings on a board that were not sent; per tab, suffixed with the learner. */
  unsentDrawing: 'mogakgong.board-unsent',
} as const;

/** Kept for a time without a network; removed when the log-in ends. */
export const keptOfflineKeys = {
  /** The last answers about the learner's day. */
  lastState: `${storageKeys.session}.last-state`,
  /** A goal with its tasks that could not be sent; per tab. */
  goal: `${storageKeys.unsentPresses}.goal`,
} as const;

/** A key of the list, alone or with a suffix that distinguishes values. */
export type StorageKey = `${(typeof storageKeys)[keyof typeof storageKeys]}${string}`;
