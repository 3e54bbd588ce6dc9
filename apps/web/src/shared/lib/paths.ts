/** Every page of the browser application (specification §2), in wouter's pattern notation. */
export const paths = {
  landing: '/',
  login: '/login',
  emailLogin: '/email-login',
  join: '/join',
  main: '/main',
  studyRoom: '/studyroom/:roomId',
  terms: '/terms',
  privacy: '/privacy',
} as const;

/** The address of one study room. */
export function studyRoomPath(roomId: number): string {
  return paths.studyRoom.replace(':roomId', String(roomId));
}
