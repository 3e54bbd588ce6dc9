import { REALTIME_PATH } from '@mogakgong/contract';
import type { BlockedPairs, BlocksService } from './features/blocks/index.ts';
import { type BoardLife, createBoard, createBoardLife } from './features/board/index.ts';
import { type ChatService, createChat } from './features/chat/index.ts';
import { createFocus, createSeatLife } from './features/focus/index.ts';
import { createFriends } from './features/friends/index.ts';
import { createHosting } from './features/hosting/index.ts';
import type { ImagesService } from './features/images/index.ts';
import type { Media } from './features/media/index.ts';
import { createNods } from './features/nods/index.ts';
import { createPomodoro } from './features/pomodoro/index.ts';
import { createPresence } from './features/presence/index.ts';
import { FILL_HOLES_EVERY_MS, Notices, SeatWatch } from './features/realtime/index.ts';
import type { RoomsService } from './features/rooms/index.ts';
import type { SanctionsService } from './features/sanctions/index.ts';
import { createTitles, type TitlesService } from './features/titles/index.ts';
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

/** Maximum time for which a connection outlives its access token. */
const END_EXPIRED_EVERY_MS = 5_000;

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

/** The features on the one WebSocket of each tab, in dependency order. */
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

  const focus = createFocus({ ...parts, notices });
  const hosting = createHosting({ ...parts, notices, focus });
  const seatLife = createSeatLife({ ...parts, hub, focus });
  const titles = createTitles({ ...parts, hub, notices, focus });
  createNods({ ...parts, notices });
  createFriends({ ...parts, notices });
  const pomodoro = createPomodoro(parts);
  const presence = createPresence({
    ...{ ...parts, hub, seats, focus, seatLife, hosting, pomodoro },
  });
  const chat = createChat({ ...parts, hub, seats });
  const board = createBoard({ ...parts, hub, seats });
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
