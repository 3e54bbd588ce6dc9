import { type GroupId, LATEST_MS, type UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type AtLimits, FULLEST_DAY, LARGEST_PICTURE, longestPeriod } from './at-limits.ts';
import type { RouteName } from './contract-routes.ts';
import type { AnyRequest } from './injection.ts';

/** The stored data, and others in it. */
export interface Weighing extends AtLimits {
  /** A learner in the same room. */
  readonly otherId: UserId;
  readonly moderatorId: UserId;
  /** A full group that the learner leads. */
  readonly groupId: GroupId;
}

/** A call with a weighed reply. */
export interface Case {
  readonly by: 'learner' | 'moderator' | 'host';
  /** `repetition` counts from 0: a change that cannot be repeated names another row. */
  readonly request: (at: Weighing, repetition: number) => AnyRequest;
  /** Reason for a reply larger than REPLY_MAX_BYTES; it is sent in slices. */
  readonly streamed?: string;
  /** Before each call: makes the process load the reply again, or the call possible. */
  readonly prepare?: (at: Weighing) => RawBuilder<unknown>;
}

const nothing = () => ({});
const period = () => ({ query: longestPeriod(new Date()) });
const ofRoom = ({ roomId }: AtLimits) => ({ params: { roomId } });
const ofHosted = ({ hostedId }: AtLimits) => ({ params: { roomId: hostedId } });
const ofCase = ({ caseId }: AtLimits) => ({ params: { caseId } });
const ofReport = ({ reportId }: AtLimits) => ({ params: { reportId } });
const learner = (request: Case['request'] = nothing) => ({ by: 'learner', request }) as const;
const moderator = (request: Case['request'] = nothing) => ({ by: 'moderator', request }) as const;

const ofGroup = ({ groupId }: Weighing) => ({ params: { groupId } });

const FIRST_OTHER = 100_001;

/** Routes with a reply, or work, that grows with the stored data, called at the limits of that data. */
export const growing: Partial<Record<RouteName, Case>> = {
  getBoard: {
    ...learner(ofRoom),
    streamed: 'a full board: slices of one version, shared',
    prepare: ({ roomId }) =>
      sql`update board set generation = nextval('board_generation') where room_id = ${roomId}`,
  },
  // The second call brings back the elements that the first has cleared.
  clearBoard: learner(ofRoom),
  bringBackBoard: learner(ofRoom),
  getChatHistory: learner(({ roomId }) => ({ query: { before: `${roomId}-1-200` } })),
  exportOwnData: { ...learner(), streamed: 'packed as it is read' },
  exportIntervals: { ...learner(period), streamed: 'read in batches' },
  getStudyDays: learner(period),
  getStudyHours: learner(period),
  getStudySubjects: learner(period),
  getTimetable: learner(() => ({ query: { day: FULLEST_DAY } })),
  getVisits: learner(),
  getStatistics: learner(),
  getToday: learner(),
  getWeeks: learner(),
  getLookBack: learner(),
  getOwnTitles: learner(({ userId }) => ({ params: { userId } })),
  getSubjects: learner(),
  getFriends: learner(),
  getFriendsLeaderboard: learner(),
  getRoomLeaderboard: learner(ofRoom),
  getBlocks: learner(),
  getBlockedPeople: learner(),
  getHostView: { by: 'host', request: ofHosted },
  listHostedRooms: learner(() => ({ query: {} })),
  getOwnGroups: learner(),
  listGroups: learner(() => ({ query: {} })),
  getGroup: learner(ofGroup),
  getGroupMonth: learner((at) => ({ ...ofGroup(at), query: {} })),
  getGroupSessions: learner(ofGroup),
  getGroupRequests: learner(ofGroup),
  readGroupCalendar: learner(({ userId }) => ({
    params: { calendar: `calendar-of-learner-${userId}` },
  })),
  getPasskeys: learner(),
  getLoginSessions: learner(),
  getOwnReports: learner(),
  getOwnSanctions: learner(),
  getCases: moderator(() => ({ query: { filter: 'decided' } })),
  getCase: moderator(ofCase),
  claimCase: moderator(ofCase),
  getReportEvidence: { ...moderator(ofReport), streamed: 'JSON as it is stored' },
  getReportBoard: { ...moderator(ofReport), streamed: 'a full board as it is stored' },
  getAppeals: moderator(),
  getAuditEvents: moderator(() => ({ query: {} })),
};

const ofPicture = { imageId: LARGEST_PICTURE };
const host = (request: Case['request'] = ofHosted): Case => ({ by: 'host', request });
const guest = (at: AtLimits) => ({ params: { roomId: at.hostedId, guestId: FIRST_OTHER } });

/** Routes with a picture of at most a megabyte as their reply. */
export const pictures: Partial<Record<RouteName, Case>> = {
  getBoardImage: learner(({ roomId }) => ({ params: { roomId, ...ofPicture } })),
  getReportStill: moderator(ofReport),
  getReportBoardImage: moderator(({ reportId }) => ({ params: { reportId, ...ofPicture } })),
};

/**
 * Other routes with a list in their reply: one of at most 100 rows by a limit of the contract, a constant, or a
 * list that a row of `growing` weighs.
 */
export const shortLists: readonly RouteName[] = [
  ...['acknowledgeSanction', 'answerAppeal', 'appealSanction', 'liftSanction'],
  ...['addPasskey', 'removePasskey', 'renamePasskey'],
  ...['addPushDevice', 'choosePush', 'getPushSettings', 'removePushDevice'],
  ...['addSubject', 'showSubject'],
  ...['confirmSecondFactor', 'renewRecoveryCodes'],
  ...['declineFriendInvitation', 'shareFriendState'],
  ...['endLoginSession', 'endOtherLoginSessions'],
  ...['getBusyHours', 'getTitles'],
  ...['getGoal', 'putGoal'],
  ...['getGroupCard', 'readGroupInvitation'],
  ...['getPrivacyState', 'getSocialLogins', 'getSocialProviders', 'unlinkSocialLogin'],
] as const satisfies readonly RouteName[];

const ofBlocked = ({ otherId }: Weighing) => ({ params: { blockedId: otherId } });
const ofSubject = (_: Weighing, n: number) => ({ params: { subjectId: 1 + n } });
const decided = { decision: 'warn', reason: 'insults', readUntilMs: LATEST_MS };
const claim = ({ caseId, moderatorId }: Weighing) =>
  sql`update report_case set (status, claimed_by, decided_at, decision, decision_reason)
    = ('claimed', ${moderatorId}, null, null, null) where id = ${caseId}`;

/** Routes that change full lists, in the order in which they are called. */
export const changing: Partial<Record<RouteName, Case>> = {
  releaseCase: { ...moderator(ofCase), prepare: claim },
  decideCase: { ...moderator((at) => ({ ...ofCase(at), body: decided })), prepare: claim },
  unblockUser: learner((_, n) => ({ params: { blockedId: FIRST_OTHER + 500 + n } })),
  blockUser: learner(ofBlocked),
  removeFriend: learner((_, n) => ({ params: { friendId: FIRST_OTHER + n } })),
  acceptFriend: learner((_, n) => ({ params: { friendId: FIRST_OTHER + 1_000 + n } })),
  chooseSubject: learner(() => ({ body: { subjectId: 1 } })),
  changeSubject: learner((at, n) => ({ ...ofSubject(at, n), body: { name: `영어${n}` } })),
  removeSubject: learner(ofSubject),
  renewInvitation: host(),
  answerGuest: host((at) => ({ ...guest(at), body: { isAdmitted: true } })),
  removeGuest: host(guest),
  removeHiddenGuests: host(),
  closeHostedRoom: host(),
};
