/** Every page of the browser application (specification §2), in wouter's pattern notation. */
export const paths = {
  landing: '/',
  login: '/login',
  emailLogin: '/email-login',
  secondFactor: '/login/second-factor',
  join: '/join',
  passwordReset: '/password-reset',
  emailChange: '/email-change',
  googleCallback: '/google/callback',
  kakaoCallback: '/kakao/callback',
  naverCallback: '/naver/callback',
  authSuccess: '/auth/success',
  authFailure: '/auth/failure',
  extraInfo: '/signup/extra-info',
  main: '/main',
  invitation: '/invite',
  studyRoom: '/studyroom/:roomId',
  myPage: '/mypage',
  statistics: '/statistics',
  plan: '/plan',
  friends: '/friends',
  friendLink: '/friends/link',
  groups: '/groups',
  group: '/groups/:groupId',
  groupLink: '/groups/join',
  settings: '/settings',
  settingsSection: '/settings/:section',
  moderation: '/moderation',
  support: '/support',
  diagnostics: '/diagnostics',
  terms: '/terms',
  privacy: '/privacy',
} as const;

/** Developer pages: the server decides whether they exist (DEV_PAGES). */
export const devPaths = {
  testPage: '/test-page',
  messageTest: '/message-test',
  blockTest: '/block-test-page',
  apiStatus: '/api-status',
} as const;

/** The address of one study room. */
export function studyRoomPath(roomId: number): string {
  return paths.studyRoom.replace(':roomId', String(roomId));
}

/** The address of one study group. */
export function groupPath(groupId: number): string {
  return paths.group.replace(':groupId', String(groupId));
}

/** The pages of the settings; the first is also at `/settings`. */
export const settingsSections = [
  'display',
  'study',
  'notifications',
  'security',
  'privacy',
  'blocked',
] as const;
export type SettingsSection = (typeof settingsSections)[number];

/** The address of one page of the settings. */
export function settingsPath(section: SettingsSection): string {
  return paths.settingsSection.replace(':section', section);
}
