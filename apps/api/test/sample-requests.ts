import type {
  CaseId,
  ReportId,
  RoomId,
  RouteDefinition,
  RouteRequest,
  SubjectId,
  UserId,
} from '@mogakgong/contract';
import type { InjectOptions } from 'fastify';
import { type RouteName, routes } from './contract-routes.ts';
import { formOf } from './form.ts';
import { newJpeg } from './pictures.ts';
import { PASSWORD, signupPayload } from './test-app.ts';

/** The people and things that a request names. */
export interface Named {
  readonly userId: UserId;
  readonly email: string;
  /** A log-in of the learner. */
  readonly sessionId: string;
  /** A sanction of the learner. */
  readonly sanctionId: number;
  readonly roomId: RoomId;
  /** Another learner. */
  readonly otherId: UserId;
}

type SampleRequests = {
  readonly [Name in RouteName]: (
    named: Named,
  ) => RouteRequest<(typeof routes)[Name]> | Promise<RouteRequest<(typeof routes)[Name]>>;
};

const nothing = () => ({});
const ofSubject = () => ({ params: { subjectId: 1 as SubjectId } });
const provider = () => ({ params: { provider: 'google' as const } });
const period = () => ({ query: { from: '2026-01-01', to: '2026-01-31' } });
const newPassword = { newPassword: 'Green-desk-7', confirmNewPassword: 'Green-desk-7' };
const timerMove = ({ userId, roomId }: Named) => ({ body: { userId, roomId } });
const ofRoom = ({ roomId }: Named) => ({ params: { roomId } });
const ofGuest = ({ roomId, otherId }: Named) => ({ params: { roomId, guestId: otherId } });
const imageId = 'a'.repeat(64);
const invitation = 'an-invitation-of-nobody-at-all';
const ofBlocked = ({ otherId }: Named) => ({ params: { blockedId: otherId } });
const ofFriend = ({ otherId }: Named) => ({ params: { friendId: otherId } });
const ofFriendLink = () => ({ body: { link: 'a-link-of-nobody-at-all' } });
const ofSanction = ({ sanctionId }: Named) => ({ params: { sanctionId } });
const ofCase = () => ({ params: { caseId: 1 as CaseId } });
const pomodoro = { focusMinutes: 25, breakMinutes: 5 };

const newFile = async () =>
  new File([new Uint8Array(await newJpeg())], 'a.jpg', { type: 'image/jpeg' });

const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' as const };
const passkeyProof = {
  ...credential,
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
};

/**
 * A valid request for every route, as our client could send it. The tests over all routes start from these: a
 * new route needs an entry.
 */
export const sampleRequests: SampleRequests = {
  signup: () => ({ body: signupPayload() }),
  checkEmail: () => ({ body: { email: signupPayload().email } }),
  login: ({ email }) => ({ body: { email, password: PASSWORD } }),
  finishLogin: () => ({ body: { code: '123456' } }),
  beginPasskeyLogin: nothing,
  logInByPasskey: () => ({ body: { passkey: passkeyProof } }),
  refresh: nothing,
  logout: nothing,
  reauthenticate: () => ({ body: { password: PASSWORD } }),
  requestPasswordReset: ({ email }) => ({ body: { email } }),
  finishPasswordReset: () => ({ body: { token: 'a-token-of-a-mail', ...newPassword } }),
  getLoginSessions: nothing,
  endLoginSession: ({ sessionId }) => ({ params: { sessionId } }),
  endOtherLoginSessions: nothing,
  getSecondFactor: nothing,
  beginSecondFactor: nothing,
  confirmSecondFactor: () => ({ body: { code: '123456' } }),
  renewRecoveryCodes: nothing,
  turnOffSecondFactor: nothing,
  getPasskeys: nothing,
  beginPasskey: nothing,
  addPasskey: () => ({
    body: {
      name: 'phone',
      passkey: { ...credential, response: { clientDataJSON: 'e30', attestationObject: 'oA' } },
    },
  }),
  renamePasskey: ({ sessionId }) => ({ params: { passkeyId: sessionId }, body: { name: 'phone' } }),
  removePasskey: ({ sessionId }) => ({ params: { passkeyId: sessionId } }),
  getSocialProviders: nothing,
  finishSocialLogin: () => ({ ...provider(), query: { code: 'a-code', state: 'a-state' } }),
  getSocialSignup: nothing,
  finishSocialSignup: () => {
    const { nickname, consents } = signupPayload();
    return { body: { nickname, consents } };
  },
  getSocialLogins: nothing,
  linkSocialLogin: provider,
  unlinkSocialLogin: provider,
  getProfile: nothing,
  changeNickname: () => ({ body: { newNickname: signupPayload().nickname } }),
  changeEmail: () => ({ body: { newEmail: signupPayload().email } }),
  getEmailChange: nothing,
  cancelEmailChange: nothing,
  confirmEmail: () => ({ body: { token: 'a-token-of-a-mail' } }),
  changeProfileImage: () => ({ body: { newProfileImage: 'default.jpg' } }),
  uploadImage: async () => ({ body: { imageFile: await newFile() } }),
  changePassword: () => ({ body: { currentPassword: PASSWORD, ...newPassword } }),
  getBlocks: nothing,
  getBlockedPeople: nothing,
  blockUser: ofBlocked,
  unblockUser: ofBlocked,
  enterRoom: ({ userId }) => ({ query: { userId } }),
  checkEntry: ofRoom,
  leaveRoom: ({ userId }) => ({ query: { userId } }),
  getLiveliness: nothing,
  openHostedRoom: () => ({
    body: {
      name: 'TOEIC 900',
      goal: 'Two chapters',
      capacity: 8,
      isPublic: true,
      needsApproval: false,
      needsCamera: false,
    },
  }),
  listHostedRooms: () => ({ query: {} }),
  readInvitation: () => ({ body: { invitation } }),
  askAdmission: (named) => ({ ...ofRoom(named), body: {} }),
  getAdmission: ofRoom,
  cancelAdmission: ofRoom,
  getHostView: ofRoom,
  renewInvitation: ofRoom,
  answerGuest: (named) => ({ ...ofGuest(named), body: { isAdmitted: true } }),
  removeGuest: ofGuest,
  removeHiddenGuests: ofRoom,
  handOverRoom: (named) => ({ ...ofRoom(named), body: { newHostId: named.otherId } }),
  closeHostedRoom: ofRoom,
  reportPicture: (named) => ({ ...ofRoom(named), body: { isBlack: true } }),
  createConnectionTest: nothing,
  createMediaToken: ({ userId, roomId }) => ({
    body: { roomName: String(roomId), identity: String(userId) },
  }),
  getChatHistory: ({ roomId }) => ({ query: { before: `${roomId}-1-1` } }),
  getBoard: ({ roomId }) => ({ params: { roomId }, query: {} }),
  addBoardImage: async (named) => ({ ...ofRoom(named), body: { image: await newFile() } }),
  getBoardImage: ({ roomId }) => ({ params: { roomId, imageId } }),
  clearBoard: ofRoom,
  bringBackBoard: ofRoom,
  startTimer: timerMove,
  pauseTimer: timerMove,
  resumeTimer: timerMove,
  awayTimer: timerMove,
  getToday: nothing,
  getFocusSettings: nothing,
  putFocusSettings: () => ({
    body: { timeZone: 'Asia/Seoul', dayStartMinutes: 0, startsOnEntering: true },
  }),
  getStatistics: nothing,
  getLookBack: nothing,
  getStudyDays: period,
  getStudyHours: period,
  getStudySubjects: period,
  getVisits: () => ({ query: { before: 1_000_000 } }),
  getWeeks: nothing,
  exportIntervals: period,
  getTitles: nothing,
  getOwnTitles: ({ userId }) => ({ params: { userId } }),
  equipTitle: ({ userId }) => ({ params: { userId }, query: { titleId: 1 } }),
  getSubjects: nothing,
  addSubject: () => ({ body: { name: '수학' } }),
  changeSubject: () => ({ ...ofSubject(), body: { name: '영어' } }),
  removeSubject: ofSubject,
  chooseSubject: () => ({ body: { subjectId: 1 as SubjectId } }),
  getGoal: nothing,
  putGoal: () => ({
    body: { targetMinutes: 60, tasks: [{ text: 'Read', isDone: false }], isVisible: false },
  }),
  getPomodoro: ofRoom,
  putPomodoro: (named) => ({ ...ofRoom(named), body: pomodoro }),
  deletePomodoro: ofRoom,
  sendNod: (named) => ({ ...ofRoom(named), body: { toUserId: named.otherId } }),
  getFriends: nothing,
  renewFriendLink: nothing,
  readFriendLink: ofFriendLink,
  askByFriendLink: ofFriendLink,
  askNeighbour: (named) => ({ ...ofRoom(named), body: { toUserId: named.otherId } }),
  acceptFriend: ofFriend,
  removeFriend: ofFriend,
  getRoomLeaderboard: ofRoom,
  getFriendsLeaderboard: nothing,
  getLeaderboardSetting: nothing,
  putLeaderboardSetting: () => ({ body: { isOn: true } }),
  exportOwnData: nothing,
  getPrivacyState: nothing,
  giveConsents: () => ({ body: { consents: { age: true, terms: true, privacy: true } } }),
  requestDeletion: () => ({ body: { delayDays: 7 } }),
  cancelDeletion: nothing,
  createReport: ({ roomId, otherId }) => ({
    body: { roomId, reportedId: otherId, reason: 'ABUSE' as const, description: 'insults' },
  }),
  addReportStill: async () => ({
    params: { reportId: 1 as ReportId },
    body: { still: await newFile() },
  }),
  getOwnReports: nothing,
  getCases: () => ({ query: { filter: 'open' as const } }),
  getCase: ofCase,
  getReportBoardImage: () => ({ params: { reportId: 1 as ReportId, imageId } }),
  getReportEvidence: () => ({ params: { reportId: 1 as ReportId } }),
  getReportBoard: () => ({ params: { reportId: 1 as ReportId } }),
  getReportStill: () => ({ params: { reportId: 1 as ReportId } }),
  claimCase: ofCase,
  releaseCase: ofCase,
  decideCase: () => ({ ...ofCase(), body: { decision: 'warn' as const, reason: 'Insults' } }),
  getAppeals: nothing,
  answerAppeal: (named) => ({
    ...ofSanction(named),
    body: { outcome: 'upheld' as const, answer: 'It was you.' },
  }),
  liftSanction: ofSanction,
  getAuditEvents: () => ({ query: {} }),
  getOwnSanctions: nothing,
  acknowledgeSanction: ofSanction,
  appealSanction: (named) => ({ ...ofSanction(named), body: { text: 'That was not me.' } }),
  reportClientError: () => ({
    body: {
      kind: 'error' as const,
      place: 'assets/a.js:1:2',
      version: 'index-a',
      browser: 'Firefox' as const,
    },
  }),
  askSupport: ({ email }) => ({ body: { email, message: 'The camera of my room stays dark.' } }),
};

/** The parts of a request of any route. */
export interface AnyRequest {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

export const sampleRequest = async (name: RouteName, named: Named): Promise<AnyRequest> =>
  (await sampleRequests[name](named)) as AnyRequest;

/** The address of a request, path and query. */
function addressOf(route: RouteDefinition, { params = {}, query = {} }: AnyRequest): string {
  const path = route.path.replace(/:(\w+)/gu, (_, name) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.append(name, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}

/** A request in the form of Fastify's `inject`. */
export async function injection(
  name: RouteName,
  request: AnyRequest,
  headers: Readonly<Record<string, string>> = {},
): Promise<InjectOptions> {
  const route: RouteDefinition = routes[name];
  const common = { method: route.method, url: addressOf(route, request) };
  if (route.body === undefined) return { ...common, headers };
  if (route.bodyType !== 'multipart') return { ...common, headers, payload: request.body ?? {} };
  const files = Object.entries(request.body ?? {}) as [string, File][];
  const form = await formOf(
    await Promise.all(
      files.map(async ([field, file]) => ({
        field,
        bytes: new Uint8Array(await file.arrayBuffer()),
      })),
    ),
  );
  return { ...common, headers: { ...headers, ...form.headers }, payload: form.payload };
}
