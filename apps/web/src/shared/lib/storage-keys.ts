/**
 * Everything that pages keep in the browser, by key (specification §9). The only names that may be
 * written: the privacy text lists them all, and a test compares. public/theme.js reads three of them.
 */
export const storageKeys = {
  /** Who is logged in (specification §4). */
  session: 'mogakgong.auth',
  /** The access token, beside the session. */
  token: 'mogakgong.token',
  blocked: 'mogakgong.blocked',
  theme: 'mogakgong.theme',
  shortcuts: 'mogakgong.shortcuts',
  /** Which sound plays in the background, and how loud. */
  ambient: 'mogakgong.ambient',
  /** Whether one's background is blurred. */
  blur: 'mogakgong.blur',
  pomodoro: 'mogakgong.pomodoro',
  /** How one's own picture is shown in the room. */
  roomView: 'mogakgong.room-view',
  /** Which tab shows the room. */
  roomTab: 'mogakgong.room-tab',
  /** The seat that the tab holds, over a reload; of one tab. */
  seat: 'mogakgong.seat',
  /** The camera that the learner chose. */
  camera: 'mogakgong.camera',
  /** Whether less is sent and received, and whether by itself. */
  saveData: 'mogakgong.save-data',
  /** The invitation that the tab opened, over log-in and sign-up; of one tab. */
  invitation: 'mogakgong.invitation',
  /** The friend link that the tab opened, likewise. */
  friendLink: 'mogakgong.friend-link',
  /** What was typed in a room and not sent; of one tab, with learner and room after it. */
  unsent: 'mogakgong.chat-unsent',
  /** The room whose chat is open in this tab: it is open again after a reload. */
  openChat: 'mogakgong.chat-open',
  /** Breaks and returns that the server does not know of yet; of one tab, with learner and room after it. */
  unsentPresses: 'mogakgong.timer-unsent',
  /** What was drawn on a board and not sent; of one tab, with the learner after it. */
  unsentDrawing: 'mogakgong.board-unsent',
} as const;

/** A key of the list, alone or with what tells one value from another after it. */
export type StorageKey = `${(typeof storageKeys)[keyof typeof storageKeys]}${string}`;
