import { REALTIME_PATH } from '@mogakgong/contract';
import type { BlockedPairs, BlocksService } from './features/blocks/index.ts';
import {
  type BoardLife,
  BoardService,
  createBoardLife,
  createBoardRepository,
  serveBoard,
} from './features/board/index.ts';
import { ChatService, createChatRepository, serveChat } from './features/chat/index.ts';
import {
  createFocusRepository,
  createGoalsRepository,
  createGoalsService,
  createSubjectsService,
  createTodayRepository,
  FocusService,
  SeatLife,
  serveFocus,
} from './features/focus/index.ts';
import { createFriends } from './features/friends/index.ts';
import {
  CameraRule,
  createAdmissionsRepository,
  createAdmissionsService,
  createCameraRuleRepository,
  createHostingRepository,
  createRoomEndsRepository,
  HostingService,
  serveHosting,
} from './features/hosting/index.ts';
import type { ImagesService } from './features/images/index.ts';
import type { Media } from './features/media/index.ts';
import { createNodsService, serveNods } from './features/nods/index.ts';
import {
  createPomodoroRepository,
  createPomodoroService,
  servePomodoro,
} from './features/pomodoro/index.ts';
import { PresenceService } from './features/presence/index.ts';
import { Notices, SeatWatch } from './features/realtime/index.ts';
import type { RoomsService } from './features/rooms/index.ts';
import type { SanctionsService } from './features/sanctions/index.ts';
import { createTitlesRepository, serveTitles, TitlesService } from './features/titles/index.ts';
import type { UsersService } from './features/users/index.ts';
import type { Backplane } from './platform/backplane/index.ts';
import type { Clock } from './platform/clock/index.ts';
import type { Database } from './platform/database/index.ts';
import type { Env } from './platform/env/index.ts';
import type { Authenticate, HttpServer } from './platform/http/index.ts';
import type { Jobs } from './platform/jobs/index.ts';
import type { Limits } from './platform/limits/index.ts';
import type { Logger } from './platform/logger/index.ts';
import { RealtimeHub } from './platform/realtime/index.ts';

const PROOF_OF_LIFE_EVERY_MS = 10_000;
const FILL_HOLES_EVERY_MS = 2_000;
/** A connection outlives its access token by this at most. */
const END_EXPIRED_EVERY_MS = 5_000;
/** A title comes at most so long after a stored sign of life covers its moment. */
const AWARD_TITLES_EVERY_MS = 20_000;
const SWEEP_HOSTED_ROOMS_EVERY_MS = 10_000;
/** How late at most a camera that is back lets its learner go on. */
const CHECK_CAMERAS_EVERY_MS = 5_000;
const FORGET_HOSTED_ROOMS_EVERY_MS = 60 * 60_000;
const FORGET_BOARDS_EVERY_MS = 60_000;
const FORGET_MESSAGES_EVERY_MS = 60 * 60_000;

interface RealtimeParts {
  readonly env: Env;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly checkedClock: Clock;
  readonly database: Database;
  readonly backplane: Backplane;
  readonly limits: Limits;
  readonly authenticate: Authenticate;
  readonly http: HttpServer;
  readonly jobs: Jobs;
  readonly users: UsersService;
  readonly blocks: BlocksService;
  readonly pairs: BlockedPairs;
  readonly rooms: RoomsService;
  readonly images: ImagesService;
  readonly media: Pick<Media, 'findCameras'>;
  readonly sanctions: SanctionsService;
}

export interface Realtime {
  readonly hub: RealtimeHub;
  readonly notices: Notices;
  readonly titles: TitlesService;
  readonly chat: ChatService;
  readonly boardLife: BoardLife;
  close(): Promise<void>;
}

/** The part of the product that lives on the one WebSocket of each tab, in dependency order. */
export function createRealtime(parts: RealtimeParts): Realtime {
  const { clock, http, jobs, blocks, pairs } = parts;
  const hub = new RealtimeHub(parts);
  hub.onArrival((userId) => pairs.watch(userId));
  hub.onDeparture((userId) => pairs.unwatch(userId));
  http.onUpgrade(REALTIME_PATH, (...upgrade) => hub.handleUpgrade(...upgrade));

  jobs.add({
    name: 'expired connections',
    everyMs: END_EXPIRED_EVERY_MS,
    runs: 'process',
    run: async () => hub.endExpired(clock.now()),
  });

  const seats = new SeatWatch({ ...parts, hub });
  jobs.add({
    name: 'seats of the connected',
    everyMs: FILL_HOLES_EVERY_MS,
    runs: 'process',
    run: () => seats.refreshAll(),
  });
  const notices = new Notices({ ...parts, hub });
  blocks.onChange((userId, blockedIds) =>
    notices.send(userId, { kind: 'blocks', blockedIds: [...blockedIds] }),
  );

  const focus = createFocus(parts, notices);
  const hosting = createHosting(parts, notices, focus);
  const seatLife = createSeatLife(parts, hub, focus);
  const titles = createTitles(parts, { hub, notices, focus });
  serveNods(http, createNodsService({ ...parts, notices }));
  createFriends({ ...parts, notices });
  const presence = createPresence(parts, { hub, seats, focus, seatLife, hosting });
  const chat = createChat(parts, hub, seats);
  const board = createBoard(parts, hub, seats);
  const boardLife = createBoardLife({
    ...parts,
    boards: board,
    notices,
    hosting,
    clock: parts.checkedClock,
  });

  return {
    hub,
    notices,
    titles,
    chat,
    boardLife,
    async close() {
      await seatLife.close();
      await hub.close();
      chat.close();
      board.close();
      presence.close();
    },
  };
}

interface PresenceDependencies {
  readonly hub: RealtimeHub;
  readonly seats: SeatWatch;
  readonly focus: FocusService;
  readonly seatLife: SeatLife;
  readonly hosting: HostingService;
}

/** Schedules of rooms, and the presence that shows them beside who sits where. */
function createPresence(parts: RealtimeParts, dependencies: PresenceDependencies): PresenceService {
  const { database, http, jobs } = parts;
  const repository = createPomodoroRepository(database);
  const pomodoro = createPomodoroService({ ...parts, repository });
  servePomodoro(http, pomodoro);

  const presence = new PresenceService({ ...parts, ...dependencies, pomodoro });
  jobs.add({
    name: 'holes in rosters',
    everyMs: FILL_HOLES_EVERY_MS,
    runs: 'process',
    run: () => presence.fillHoles(),
  });
  return presence;
}

/** Rooms that learners open, and who is let into them. */
function createHosting(
  parts: RealtimeParts,
  notices: Notices,
  focus: FocusService,
): HostingService {
  const { env, database, http, jobs, rooms, checkedClock: clock } = parts;
  const capacity = env.ROOM_CAPACITY;
  const repository = createHostingRepository(database);
  const ends = createRoomEndsRepository(database);
  const { standing } = parts.sanctions;
  const hosting = new HostingService({
    ...{ repository, ends, rooms, notices },
    ...{ standing, clock, capacity },
  });
  const admissions = createAdmissionsService({
    repository: createAdmissionsRepository(database),
    hosting,
    rooms,
    notices,
    clock,
  });
  jobs.add({
    name: 'hosted rooms',
    everyMs: SWEEP_HOSTED_ROOMS_EVERY_MS,
    runs: 'site',
    run: () => Promise.all([hosting.sweep(), admissions.endOld()]),
  });
  const cameraRule = new CameraRule({
    ...{ ...parts, notices, focus, clock },
    repository: createCameraRuleRepository(database),
    findCameras: parts.media.findCameras,
  });
  serveHosting(http, hosting, admissions, cameraRule);
  jobs.add({
    name: 'camera rule',
    everyMs: CHECK_CAMERAS_EVERY_MS,
    runs: 'site',
    run: () => cameraRule.check(),
  });
  jobs.add({
    name: 'ended hosted rooms',
    everyMs: FORGET_HOSTED_ROOMS_EVERY_MS,
    runs: 'site',
    run: () => hosting.deleteOld(),
  });
  return hosting;
}

/** The chat of every room, and what keeps it whole. */
function createChat(parts: RealtimeParts, hub: RealtimeHub, seats: SeatWatch): ChatService {
  const { database, http, jobs } = parts;
  const repository = createChatRepository(database);
  const chat = new ChatService({ ...parts, hub, seats, repository });
  serveChat(http, chat);
  jobs.add({
    name: 'holes in chats',
    everyMs: FILL_HOLES_EVERY_MS,
    runs: 'process',
    run: () => chat.fillHoles(),
  });
  jobs.add({
    name: 'old messages',
    everyMs: FORGET_MESSAGES_EVERY_MS,
    runs: 'site',
    run: () => chat.deleteOld(),
  });
  return chat;
}

/** The board of every room. */
function createBoard(parts: RealtimeParts, hub: RealtimeHub, seats: SeatWatch): BoardService {
  const { database, http, jobs } = parts;
  const repository = createBoardRepository(database);
  const board = new BoardService({ ...parts, hub, seats, repository });
  serveBoard(http, board);
  jobs.add({
    name: 'holes in boards',
    everyMs: FILL_HOLES_EVERY_MS,
    runs: 'process',
    run: () => board.fillHoles(),
  });
  jobs.add({
    name: 'old boards',
    everyMs: FORGET_BOARDS_EVERY_MS,
    runs: 'site',
    run: () => board.deleteOld(),
  });
  return board;
}

interface TitlesDependencies {
  readonly hub: RealtimeHub;
  readonly notices: Notices;
  readonly focus: FocusService;
}

/** Titles that learners win and wear. */
function createTitles(parts: RealtimeParts, dependencies: TitlesDependencies): TitlesService {
  const { database, http, jobs } = parts;
  const repository = createTitlesRepository(database);
  const titles = new TitlesService({ ...parts, ...dependencies, repository });
  serveTitles(http, titles);
  jobs.add({
    name: 'titles of those who focus',
    everyMs: AWARD_TITLES_EVERY_MS,
    runs: 'process',
    run: () => titles.awardFocusing(),
  });
  return titles;
}

/** The engine of visits and intervals, and goals of the day. */
function createFocus(parts: RealtimeParts, notices: Notices): FocusService {
  const { database, http } = parts;
  const focus = new FocusService({
    ...parts,
    repository: createFocusRepository(database),
    todays: createTodayRepository(database),
    notices,
  });
  const repository = createGoalsRepository(database);
  const { standing } = parts.sanctions;
  const goals = createGoalsService({ ...parts, repository, focus, notices, standing });
  const subjects = createSubjectsService({ ...parts, focus, notices });
  serveFocus(http, { focus, goals, subjects });
  return focus;
}

/** What connections say of learners in their seats. */
function createSeatLife(parts: RealtimeParts, hub: RealtimeHub, focus: FocusService): SeatLife {
  const { jobs } = parts;
  const seatLife = new SeatLife({ ...parts, hub, focus });
  jobs.add({
    name: 'proof of life',
    everyMs: PROOF_OF_LIFE_EVERY_MS,
    runs: 'process',
    run: () => seatLife.recordConnected(),
  });
  jobs.add({
    name: 'watch',
    everyMs: PROOF_OF_LIFE_EVERY_MS,
    runs: 'process',
    run: () => focus.recordWatch(),
  });
  jobs.add({
    name: 'silent learners',
    everyMs: PROOF_OF_LIFE_EVERY_MS,
    runs: 'site',
    run: () => seatLife.findSilent(),
  });
  return seatLife;
}
