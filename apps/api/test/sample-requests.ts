import {
  type CaseId,
  type ErrorName,
  type GroupId,
  LATEST_MS,
  type ManualTimeId,
  type ReportId,
  type RoomId,
  type RouteRequest,
  type SessionId,
  type SubjectId,
  type UserId,
} from '@mogakgong/contract';
import type { RouteName, routes } from './contract-routes.ts';
import type { AnyRequest } from './injection.ts';
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
  /** A group that the learner leads, which is found by its link only. */
  readonly groupId: GroupId;
  /** Another learner. */
  readonly otherId: UserId;
}

/** The row of a route for the tests over all routes. */
interface Row<Request> {
  /** A valid request, as our client could send it; without parts unless given. */
  readonly request: (named: Named) => Request | Promise<Request>;
  /**
   * Of a route that names a thing: the answer to a stranger with a valid token who names a thing of the owner,
   * as an error or a reply without the thing, or `everybodys` where everybody may name it.
   */
  readonly stranger?: ErrorName | 'everybodys' | object;
  /**
   * The status of the answer to a new learner in a room, 200 unless given: without a code, token, mail, title
   * or other server only a refusal can be had.
   */
  readonly status?: number;
}

type RowOf<Request> = object extends Request ? Partial<Row<Request>> : Row<Request>;

type Rows = { readonly [Name in RouteName]: RowOf<RouteRequest<(typeof routes)[Name]>> };

const ofSubject = () => ({ params: { subjectId: 1 as SubjectId } });
const ofManualTime = () => ({ params: { manualId: 1 as ManualTimeId } });
/** Before the account was made. */
const manualTime = { startedAtMs: 0, endedAtMs: 600_000, subjectId: null };
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
const ofReport = () => ({ params: { reportId: 1 as ReportId } });
const ofPasskey = ({ sessionId }: Named) => ({ params: { passkeyId: sessionId } });
const toOther = (named: Named) => ({ ...ofRoom(named), body: { toUserId: named.otherId } });
const ofCase = () => ({ params: { caseId: 1 as CaseId } });
const pomodoro = { focusMinutes: 25, breakMinutes: 5 };
const focusSettings = { timeZone: 'Asia/Seoul', dayStartMinutes: 0, startsOnEntering: true };
const goal = { targetMinutes: 60, tasks: [{ text: 'Read', isDone: false }], isVisible: false };
const consents = { age: true, terms: true, privacy: true } as const;
const roomPlan = {
  name: 'TOEIC 900',
  goal: 'Two chapters',
  capacity: 8,
  isPublic: true,
  needsApproval: false,
  needsCamera: false,
};
const groupChoices = {
  name: 'TOEIC 900',
  goal: 'Two chapters',
  category: 'certificate' as const,
  examDay: null,
  rule: { kind: 'minutes' as const, days: [1, 2, 3], minutes: 60, fromMinute: 0, untilMinute: 60 },
  weekGoalMinutes: null,
  isListed: true,
  needsApproval: false,
  hasRanks: false,
};
const ofGroup = ({ groupId }: Named) => ({ params: { groupId } });
/** Later than tomorrow in every zone. */
const tomorrow = () => new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
const ofMember = ({ groupId, otherId }: Named) => ({ params: { groupId, memberId: otherId } });
const ofSession = ({ groupId }: Named) => ({
  params: { groupId, sessionId: 1 as SessionId },
});
const membersOnly = { stranger: 'groupMembersOnly' } as const;
const clientError = {
  kind: 'error',
  place: 'assets/a.js:1:2',
  version: 'index-a',
  browser: 'Firefox',
} as const;
const socialSignup = () => ({ body: { nickname: signupPayload().nickname, consents } });

const newFile = async () =>
  new File([new Uint8Array(await newJpeg())], 'a.jpg', { type: 'image/jpeg' });

const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' as const };
const newPasskey = {
  ...credential,
  response: { clientDataJSON: 'e30', attestationObject: 'oA' },
};
const passkeyProof = {
  ...credential,
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
};

/** Every route, for the tests over all of them: a new one needs a row. */
const rows: Rows = {
  signup: { request: () => ({ body: signupPayload() }) },
  checkEmail: { request: () => ({ body: { email: signupPayload().email } }) },
  login: { request: ({ email }) => ({ body: { email, password: PASSWORD } }) },
  finishLogin: { request: () => ({ body: { code: '123456' } }), status: 401 },
  beginPasskeyLogin: {},
  logInByPasskey: { request: () => ({ body: { passkey: passkeyProof } }), status: 403 },
  refresh: {},
  logout: {},
  reauthenticate: { request: () => ({ body: { password: PASSWORD } }) },
  requestPasswordReset: { request: ({ email }) => ({ body: { email } }) },
  finishPasswordReset: {
    request: () => ({ body: { token: 'a-token-of-a-mail', ...newPassword } }),
    status: 400,
  },
  getLoginSessions: {},
  endLoginSession: {
    request: ({ sessionId }) => ({ params: { sessionId } }),
    stranger: { sessions: [{ isOwn: true }] },
  },
  endOtherLoginSessions: {},
  getSecondFactor: {},
  beginSecondFactor: {},
  confirmSecondFactor: { request: () => ({ body: { code: '123456' } }), status: 409 },
  renewRecoveryCodes: { status: 409 },
  turnOffSecondFactor: {},
  getPasskeys: {},
  beginPasskey: {},
  addPasskey: { request: () => ({ body: { name: 'phone', passkey: newPasskey } }), status: 403 },
  renamePasskey: {
    request: (named) => ({ ...ofPasskey(named), body: { name: 'phone' } }),
    stranger: 'passkeyNotFound',
    status: 404,
  },
  removePasskey: { request: ofPasskey, stranger: { passkeys: [] } },
  getSocialProviders: {},
  finishSocialLogin: {
    request: () => ({ ...provider(), query: { code: 'a-code', state: 'a-state' } }),
    status: 400,
  },
  getSocialSignup: { status: 401 },
  finishSocialSignup: { request: socialSignup, status: 401 },
  getSocialLogins: {},
  linkSocialLogin: { request: provider, status: 404 },
  unlinkSocialLogin: { request: provider },
  getProfile: {},
  changeNickname: { request: () => ({ body: { newNickname: signupPayload().nickname } }) },
  changeEmail: { request: () => ({ body: { newEmail: signupPayload().email } }) },
  getEmailChange: {},
  cancelEmailChange: {},
  confirmEmail: { request: () => ({ body: { token: 'a-token-of-a-mail' } }), status: 400 },
  changeProfileImage: {
    request: () => ({ body: { newProfileImage: 'default.jpg' } }),
    stranger: 'everybodys',
  },
  uploadImage: { request: async () => ({ body: { imageFile: await newFile() } }) },
  changePassword: { request: () => ({ body: { currentPassword: PASSWORD, ...newPassword } }) },
  getBlocks: {},
  getBlockedPeople: {},
  blockUser: { request: ofBlocked, stranger: 'everybodys' },
  unblockUser: { request: ofBlocked, stranger: 'everybodys' },
  enterRoom: { request: ({ userId }) => ({ query: { userId } }), stranger: 'everybodys' },
  checkEntry: { request: ofRoom, stranger: 'everybodys' },
  leaveRoom: { request: ({ userId }) => ({ query: { userId } }) },
  getBusyHours: {},
  getLiveliness: {},
  openHostedRoom: { request: () => ({ body: roomPlan }) },
  listHostedRooms: { request: () => ({ query: {} }) },
  previewInvitation: { request: () => ({ body: { invitation } }), status: 404 },
  readInvitation: { request: () => ({ body: { invitation } }), status: 404 },
  askAdmission: { request: (named) => ({ ...ofRoom(named), body: {} }), stranger: 'everybodys' },
  getAdmission: { request: ofRoom, stranger: 'everybodys' },
  cancelAdmission: { request: ofRoom, stranger: 'everybodys' },
  openGroup: {
    request: () => ({ body: { ...groupChoices, timeZone: 'Asia/Seoul', dayStartMinutes: 0 } }),
  },
  getOwnGroups: {},
  listGroups: { request: () => ({ query: {} }) },
  readGroupInvitation: { request: () => ({ body: { invitation } }), status: 404 },
  getGroupCard: { request: ofGroup, stranger: 'groupNotFound' },
  getGroup: { request: ofGroup, ...membersOnly },
  getGroupMonth: { request: (named) => ({ ...ofGroup(named), query: {} }), ...membersOnly },
  editGroup: { request: (named) => ({ ...ofGroup(named), body: groupChoices }), ...membersOnly },
  putGroupNotice: {
    request: (named) => ({ ...ofGroup(named), body: { text: 'Hello' } }),
    ...membersOnly,
  },
  renewGroupInvitation: { request: ofGroup, ...membersOnly },
  joinGroup: {
    request: (named) => ({ ...ofGroup(named), body: { agrees: true as const } }),
    stranger: 'groupNotFound',
  },
  reportGroup: {
    request: (named) => ({ ...ofGroup(named), body: { reason: 'ABUSE' as const } }),
    stranger: 'groupNotFound',
    status: 400,
  },
  cancelGroupRequest: { request: ofGroup, stranger: 'everybodys' },
  leaveGroup: { request: ofGroup, ...membersOnly },
  putGroupMembership: {
    request: (named) => ({ ...ofGroup(named), body: { refusesNudges: true } }),
    ...membersOnly,
  },
  getGroupRequests: { request: ofGroup, ...membersOnly },
  answerGroupRequest: {
    request: ({ groupId, otherId }) => ({
      params: { groupId, askerId: otherId },
      body: { isAccepted: true },
    }),
    ...membersOnly,
    status: 404,
  },
  removeMember: { request: ofMember, ...membersOnly, status: 404 },
  removeHiddenMembers: { request: ofGroup, ...membersOnly },
  putGroupLeader: {
    request: (named) => ({ ...ofMember(named), body: { isLeader: true } }),
    ...membersOnly,
    status: 404,
  },
  nudgeMember: { request: ofMember, ...membersOnly, status: 404 },
  putExcuse: {
    request: ({ groupId }) => ({
      params: { groupId, day: tomorrow() },
      body: { isExcused: true },
    }),
    ...membersOnly,
  },
  getGroupSessions: { request: ofGroup, ...membersOnly },
  addGroupSession: {
    request: (named) => ({
      ...ofGroup(named),
      body: { days: [1], fromMinute: 1_260, untilMinute: 1_380 },
    }),
    ...membersOnly,
  },
  removeGroupSession: { request: ofSession, ...membersOnly },
  putComing: {
    request: (named) => ({
      params: { ...ofSession(named).params, day: tomorrow() },
      body: { isComing: true },
    }),
    ...membersOnly,
    status: 404,
  },
  renewGroupCalendar: { request: ofGroup, ...membersOnly },
  endGroupCalendar: { request: ofGroup, ...membersOnly },
  readGroupCalendar: {
    request: () => ({ params: { calendar: invitation } }),
    status: 404,
  },
  getHostOffer: { request: ofRoom, stranger: { isOffered: false } },
  answerHostOffer: {
    request: (named) => ({ ...ofRoom(named), body: { isAccepted: true } }),
    stranger: 'hostOfferEnded',
    status: 409,
  },
  getHostView: { request: ofRoom, stranger: 'notHost' },
  renewInvitation: { request: ofRoom, stranger: 'notHost' },
  answerGuest: {
    request: (named) => ({ ...ofGuest(named), body: { isAdmitted: true } }),
    stranger: 'notHost',
  },
  removeGuest: { request: ofGuest, stranger: 'notHost' },
  removeHiddenGuests: { request: ofRoom, stranger: 'notHost' },
  handOverRoom: {
    request: (named) => ({ ...ofRoom(named), body: { newHostId: named.otherId } }),
    stranger: 'notHost',
    status: 403,
  },
  closeHostedRoom: { request: ofRoom, stranger: 'notHost' },
  reportPicture: {
    request: (named) => ({ ...ofRoom(named), body: { isBlack: true } }),
    stranger: 'notSeated',
  },
  createConnectionTest: { status: 503 },
  createMediaToken: {
    request: ({ userId, roomId }) => ({
      body: { roomName: String(roomId), identity: String(userId) },
    }),
    stranger: 'notSeated',
    status: 503,
  },
  getChatHistory: {
    request: ({ roomId }) => ({ query: { before: `${roomId}-1-1` } }),
    stranger: 'notSeated',
  },
  markChatRead: {
    request: ({ roomId }) => ({ body: { messageId: `${roomId}-1-1` } }),
    stranger: 'notSeated',
  },
  getBoard: {
    request: ({ roomId }) => ({ params: { roomId }, query: {} }),
    stranger: 'notInThisRoom',
  },
  addBoardImage: {
    request: async (named) => ({ ...ofRoom(named), body: { image: await newFile() } }),
    stranger: 'notInThisRoom',
  },
  getBoardImage: {
    request: ({ roomId }) => ({ params: { roomId, imageId } }),
    stranger: 'notInThisRoom',
  },
  clearBoard: { request: ofRoom, stranger: 'notInThisRoom' },
  bringBackBoard: { request: ofRoom, stranger: 'notInThisRoom' },
  startTimer: { request: timerMove, stranger: 'notSeated' },
  pauseTimer: { request: timerMove, stranger: 'notSeated' },
  resumeTimer: { request: timerMove, stranger: 'notSeated' },
  awayTimer: { request: timerMove, stranger: 'notSeated' },
  followSchedule: {
    request: ({ userId, roomId }) => ({ body: { userId, roomId, startedAtMs: null } }),
    stranger: 'notSeated',
  },
  getToday: {},
  getFocusSettings: {},
  putFocusSettings: { request: () => ({ body: focusSettings }) },
  getStatistics: {},
  getLookBack: {},
  getStudyDays: { request: period },
  getStudyHours: { request: period },
  getStudySubjects: { request: period },
  getTimetable: { request: () => ({ query: { day: '2026-01-01' } }) },
  putVisitNote: {
    request: () => ({ params: { visitId: 1_000_000_000 }, body: { note: 'Read on paper' } }),
    stranger: 'visitNotFound',
    status: 404,
  },
  addManualTime: {
    request: () => ({ body: manualTime }),
    stranger: 'manualTimeTooOld',
    status: 400,
  },
  changeManualTime: {
    request: () => ({ ...ofManualTime(), body: manualTime }),
    stranger: 'manualTimeNotFound',
    status: 404,
  },
  removeManualTime: { request: ofManualTime, stranger: 'manualTimeNotFound', status: 404 },
  getVisits: { request: () => ({ query: { before: 1_000_000 } }), stranger: { visits: [] } },
  getWeeks: {},
  exportIntervals: { request: period },
  getTitles: {},
  getOwnTitles: { request: ({ userId }) => ({ params: { userId } }) },
  equipTitle: {
    request: ({ userId }) => ({ params: { userId }, query: { titleId: 1 } }),
    stranger: 'titleNotWon',
    status: 403,
  },
  getSubjects: {},
  addSubject: { request: () => ({ body: { name: '수학' } }) },
  changeSubject: {
    request: () => ({ ...ofSubject(), body: { name: '영어' } }),
    stranger: 'subjectNotFound',
  },
  removeSubject: { request: ofSubject, stranger: 'subjectNotFound' },
  showSubject: { request: () => ({ body: { isShown: true } }) },
  chooseSubject: {
    request: () => ({ body: { subjectId: 1 as SubjectId } }),
    stranger: 'subjectNotFound',
  },
  getGoal: {},
  putGoal: { request: () => ({ body: goal }) },
  getPomodoro: { request: ofRoom, stranger: 'notSeated' },
  putPomodoro: {
    request: (named) => ({ ...ofRoom(named), body: pomodoro }),
    stranger: 'notSeated',
  },
  deletePomodoro: { request: ofRoom, stranger: 'notSeated' },
  sendNod: { request: toOther, stranger: 'notSeated' },
  getFriends: {},
  getPushSettings: {},
  choosePush: { request: () => ({ body: { kinds: ['breakEnd'], quiet: null } }) },
  addPushDevice: {
    request: () => ({
      body: {
        endpoint: 'https://push.nobody.example/1',
        p256dh: 'B'.repeat(87),
        auth: 'a'.repeat(22),
        publicKey: 'B'.repeat(87),
      },
    }),
    status: 400,
  },
  removePushDevice: {},
  renewFriendLink: {},
  readFriendLink: { request: ofFriendLink, status: 404 },
  askByFriendLink: { request: ofFriendLink, status: 404 },
  askNeighbour: { request: toOther, stranger: 'notSeated' },
  acceptFriend: { request: ofFriend, stranger: 'friendRequestEnded' },
  removeFriend: { request: ofFriend, stranger: { friends: [], received: [], sent: [] } },
  shareFriendState: { request: () => ({ body: { sharesState: false } }) },
  // The caller does not share their state.
  inviteFriend: { request: ofFriend, stranger: 'notSeated', status: 409 },
  declineFriendInvitation: {
    request: ofFriend,
    stranger: { friends: [], received: [], sent: [], invitations: [] },
  },
  getRoomLeaderboard: { request: ofRoom, stranger: 'notSeated' },
  getFriendsLeaderboard: {},
  getLeaderboardSetting: {},
  putLeaderboardSetting: { request: () => ({ body: { isOn: true } }) },
  exportOwnData: {},
  getPrivacyState: {},
  giveConsents: { request: () => ({ body: { consents } }) },
  requestDeletion: { request: () => ({ body: { delayDays: 7 } }) },
  cancelDeletion: { status: 409 },
  createReport: {
    request: ({ roomId, otherId }) => ({
      body: { roomId, reportedId: otherId, reason: 'ABUSE' as const, description: 'insults' },
    }),
    stranger: 'cannotReportYourself',
  },
  addReportStill: {
    request: async () => ({ ...ofReport(), body: { still: await newFile() } }),
    stranger: 'reportNotFound',
    status: 404,
  },
  getOwnReports: {},
  getCases: { request: () => ({ query: { filter: 'open' as const } }) },
  getCase: { request: ofCase },
  getReportBoardImage: { request: () => ({ params: { ...ofReport().params, imageId } }) },
  getReportEvidence: { request: ofReport },
  getReportBoard: { request: ofReport },
  getReportStill: { request: ofReport },
  claimCase: { request: ofCase },
  releaseCase: { request: ofCase },
  decideCase: {
    request: () => ({
      ...ofCase(),
      body: { decision: 'warn' as const, reason: 'Insults', readUntilMs: LATEST_MS },
    }),
  },
  getAppeals: {},
  answerAppeal: {
    request: (named) => ({
      ...ofSanction(named),
      body: { outcome: 'upheld' as const, answer: 'It was you.' },
    }),
    status: 404,
  },
  liftSanction: { request: ofSanction, status: 404 },
  getAuditEvents: { request: () => ({ query: {} }) },
  getOwnSanctions: {},
  acknowledgeSanction: { request: ofSanction, stranger: 'sanctionNotFound' },
  appealSanction: {
    request: (named) => ({ ...ofSanction(named), body: { text: 'That was not me.' } }),
    stranger: 'sanctionNotFound',
  },
  reportClientError: { request: () => ({ body: clientError }) },
  askSupport: { request: ({ email }) => ({ body: { email, message: 'My camera stays dark.' } }) },
};

export const rowOf = (name: RouteName): Partial<Row<unknown>> => rows[name];

export const sampleRequest = async (name: RouteName, named: Named): Promise<AnyRequest> =>
  (await rowOf(name).request?.(named)) ?? {};
