import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { RouteDefinition } from '@mogakgong/contract';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type AtLimits, fillToLimits, longestPeriod } from '../test/at-limits.ts';
import { type RouteName, routes } from '../test/contract-routes.ts';
import { newModerator } from '../test/reported-cases.ts';
import { type AnyRequest, injection, sampleRequest } from '../test/sample-requests.ts';
import { AUTH_SECRET, createTestApp, type Learner, type TestApp } from '../test/test-app.ts';

/** A reply that may be larger is a stream. */
const REPLY_MAX_BYTES = 256 * 1024;
/** Maximum time of one turn of the event loop, in milliseconds of processor time. */
const TURN_MAX_MS = 30;
/** Repeated because compiling and other programs cost time: the smallest result counts. */
const REPETITIONS = 5;

interface Case {
  readonly by: 'learner' | 'moderator' | 'host';
  readonly request: (at: AtLimits) => AnyRequest;
  /** Reason for a reply larger than REPLY_MAX_BYTES; it is sent in slices. */
  readonly streamed?: string;
  /** It cannot be repeated, or takes long. */
  readonly once?: true;
}

const nothing = () => ({});
const period = () => ({ query: longestPeriod(new Date()) });
const ofRoom = ({ roomId }: AtLimits) => ({ params: { roomId } });
const ofHosted = ({ hostedId }: AtLimits) => ({ params: { roomId: hostedId } });
const ofCase = ({ caseId }: AtLimits) => ({ params: { caseId } });
const ofReport = ({ reportId }: AtLimits) => ({ params: { reportId } });
const learner = (request: Case['request'] = nothing) => ({ by: 'learner', request }) as const;
const moderator = (request: Case['request'] = nothing) => ({ by: 'moderator', request }) as const;

/** Routes with a reply, or work, that grows with the stored data, called at the limits of that data. */
const growing: Partial<Record<RouteName, Case>> = {
  getBoard: { ...learner(ofRoom), streamed: 'a full board: slices of one version, shared' },
  copyBoard: { ...learner(ofRoom), once: true },
  getBoardCopies: learner(),
  getBoardCopy: {
    ...learner(() => ({ params: { copyId: 100_001 } })),
    streamed: 'a full board as it is stored',
  },
  getBoardVersions: learner(ofRoom),
  replaceBoard: {
    ...learner((at) => ({ ...ofRoom(at), body: { versionId: 1 } })),
    once: true,
  },
  getChatHistory: learner(({ roomId }) => ({ query: { before: `${roomId}-1-200` } })),
  exportOwnData: { ...learner(), streamed: 'packed as it is read', once: true },
  exportIntervals: { ...learner(period), streamed: 'read in batches' },
  getStudyDays: learner(period),
  getStudyHours: learner(period),
  getStudySubjects: learner(period),
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

/** Routes with the same reply as another one. */
const alike: Partial<Record<RouteName, RouteName>> = {
  releaseCase: 'getCase',
  decideCase: 'getCase',
  answerAppeal: 'getAppeals',
  liftSanction: 'getOwnSanctions',
  acknowledgeSanction: 'getOwnSanctions',
  appealSanction: 'getOwnSanctions',
  acceptFriend: 'getFriends',
  removeFriend: 'getFriends',
  blockUser: 'getBlocks',
  unblockUser: 'getBlocks',
  answerGuest: 'getHostView',
  removeGuest: 'getHostView',
  removeHiddenGuests: 'getHostView',
  renewInvitation: 'getHostView',
  handOverRoom: 'getHostView',
  addPasskey: 'getPasskeys',
  renamePasskey: 'getPasskeys',
  removePasskey: 'getPasskeys',
  endLoginSession: 'getLoginSessions',
  endOtherLoginSessions: 'getLoginSessions',
  addSubject: 'getSubjects',
  changeSubject: 'getSubjects',
  removeSubject: 'getSubjects',
  chooseSubject: 'getSubjects',
};

/** Routes that answer with a picture: one file of at most a megabyte. */
const pictures: readonly RouteName[] = [
  'getBoardImage',
  'getBoardCopyImage',
  'getReportStill',
  'getReportBoardImage',
];

/** Routes with a reply independent of the amount of stored data. */
const small: readonly RouteName[] = [
  ...(['getAdmission', 'getEmailChange', 'getFocusSettings', 'getGoal'] as const),
  ...(['getLeaderboardSetting', 'getLiveliness', 'getPomodoro', 'getPrivacyState'] as const),
  ...(['getProfile', 'getSecondFactor', 'getSocialLogins', 'getSocialProviders'] as const),
  ...(['getSocialSignup', 'finishSocialLogin', 'getTitles', 'checkEntry'] as const),
];
/** Small replies to other methods than `GET`: acknowledgements, and one created or changed object. */
const acknowledged: readonly RouteName[] = [
  ...(['addBoardImage', 'addReportStill', 'askAdmission', 'askByFriendLink'] as const),
  ...(['askNeighbour', 'askSupport', 'awayTimer', 'beginPasskey', 'beginPasskeyLogin'] as const),
  ...(['beginSecondFactor', 'cancelAdmission', 'cancelDeletion', 'cancelEmailChange'] as const),
  ...(['changeEmail', 'changeNickname', 'changePassword', 'changeProfileImage'] as const),
  ...(['checkEmail', 'closeHostedRoom', 'confirmEmail', 'confirmSecondFactor'] as const),
  ...(['createConnectionTest', 'createMediaToken', 'createReport', 'deleteBoardCopy'] as const),
  ...(['deletePomodoro', 'enterRoom', 'equipTitle', 'finishLogin', 'finishPasswordReset'] as const),
  ...(['finishSocialSignup', 'giveConsents', 'leaveRoom', 'linkSocialLogin'] as const),
  ...(['logInByPasskey', 'login', 'logout', 'openHostedRoom', 'pauseTimer'] as const),
  ...(['putFocusSettings', 'putGoal', 'putLeaderboardSetting', 'putPomodoro'] as const),
  ...([
    'readFriendLink',
    'readInvitation',
    'reauthenticate',
    'refresh',
    'renewFriendLink',
  ] as const),
  ...([
    'renewRecoveryCodes',
    'reportClientError',
    'reportPicture',
    'requestDeletion',
    'requestPasswordReset',
  ] as const),
  ...(['resumeTimer', 'sendNod', 'signup', 'startTimer', 'turnOffSecondFactor'] as const),
  ...(['unlinkSocialLogin', 'uploadImage', 'voteOnBoard'] as const),
];
const SMALL_MAX_BYTES = 16 * 1024;

let app: TestApp;
let api: ChildProcess;
let url: string;
let at: AtLimits;
let callers: Readonly<Record<Case['by'], Learner>>;

beforeAll(async () => {
  app = await createTestApp();
  const [one, host] = [await app.newLearner(), await app.newLearner()];
  const hostedId = await app.openHostedRoom(host, { needsApproval: true });
  callers = { learner: one, host, moderator: await newModerator(app, 'admin') };
  const { userId } = one;
  const roomId = await app.openRoom();
  await app.seat(one, roomId);
  at = { userId, roomId, hostedId, ...(await fillToLimits(app, { userId, roomId, hostedId })) };
  const { host: socket, port, user, password } = inject('postgres');
  api = fork(path.join(import.meta.dirname, 'main.ts'), [], {
    execArgv: ['--import', path.join(import.meta.dirname, '../test/turn-watch-process.ts')],
    env: {
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: `postgresql://${user}:${password}@localhost:${port}/${app.databaseName}?host=${encodeURIComponent(socket)}`,
      AUTH_SECRET,
      RATE_LIMIT_SCALE: '1000',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [ready] = (await once(api, 'message')) as [{ url: string }];
  url = ready.url;
}, 120_000);

afterAll(async () => {
  if (api?.exitCode === null) {
    api.kill('SIGKILL');
    await once(api, 'exit');
  }
  await app?.close();
});

interface Weighed {
  readonly status: number;
  readonly bytes: number;
  /** The longest turn of the event loop during the call. */
  readonly turnMs: number;
}

async function ask(name: RouteName, request: AnyRequest, by: Learner): Promise<Weighed> {
  const { method, url: address, headers, payload } = await injection(name, request, by.headers);
  api.send('begin');
  const answer = await fetch(new URL(String(address), url), {
    method: String(method),
    headers: {
      ...(headers as Record<string, string>),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
    },
    ...(payload !== undefined && { body: JSON.stringify(payload) }),
  });
  const { byteLength: bytes } = await answer.arrayBuffer();
  const ended = once(api, 'message') as Promise<[{ longestMs: number }]>;
  api.send('end');
  const [{ longestMs }] = await ended;
  return { status: answer.status, bytes, turnMs: longestMs };
}

/** Of several responses of a route, the one with the shortest longest turn. */
async function weigh(name: RouteName, { by, request, once: isOnce }: Case): Promise<Weighed> {
  const answers: Weighed[] = [];
  for (let repetition = 0; repetition < (isOnce ? 1 : REPETITIONS); repetition += 1) {
    answers.push(await ask(name, request(at), callers[by]));
  }
  return answers.reduce((best, each) => (each.turnMs < best.turnMs ? each : best));
}

it('every route is weighed, or is known to be small', () => {
  const listed = [...Object.keys(growing), ...Object.keys(alike), ...pictures, ...small];
  expect([...listed, ...acknowledged].toSorted()).toEqual(Object.keys(routes).toSorted());
});

describe('at the limits of what is stored', () => {
  it.each(Object.entries(growing) as [RouteName, Case][])(
    '%s answers in bounds, and lets others have their turn',
    async (name, given) => {
      const { status, bytes, turnMs } = await weigh(name, given);
      expect(status).toBe(200);
      if (given.streamed === undefined) expect(bytes).toBeLessThanOrEqual(REPLY_MAX_BYTES);
      else expect(bytes).toBeGreaterThan(REPLY_MAX_BYTES);
      expect(turnMs).toBeLessThanOrEqual(TURN_MAX_MS);
    },
    120_000,
  );

  it.each(small.filter((name) => (routes[name] as RouteDefinition).method === 'GET'))(
    '%s is small',
    async (name) => {
      const { userId, roomId } = at;
      const { email } = callers.learner;
      const named = { userId, email, roomId, sessionId: '', sanctionId: 1, otherId: userId };
      const { bytes } = await ask(name, await sampleRequest(name, named), callers.learner);
      expect(bytes).toBeLessThanOrEqual(SMALL_MAX_BYTES);
    },
  );
});
