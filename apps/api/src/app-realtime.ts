import { REALTIME_PATH } from '@mogakgong/contract';
import type { BlockedPairs, BlocksService } from './features/blocks/index.ts';
import { createBoard, createBoardLife } from './features/board/index.ts';
import { createChat } from './features/chat/index.ts';
import { createFocus, createSeatLife } from './features/focus/index.ts';
import { createFriends } from './features/friends/index.ts';
import { createGroups } from './features/groups/index.ts';
import { createHosting } from './features/hosting/index.ts';
import type { ImagesService } from './features/images/index.ts';
import type { Media } from './features/media/index.ts';
import { createNods } from './features/nods.ts';
import { createPlan } from './features/plan/index.ts';
import { createPomodoro } from './features/pomodoro/index.ts';
import { createPresence } from './features/presence/index.ts';
import { createPhaseAlarms, type PushService } from './features/push/index.ts';
import { Notices, RealtimeHub, SeatWatch } from './features/realtime/index.ts';
import type { RoomsService } from './features/rooms/index.ts';
import type { AppContext } from './features/sanctions/index.ts';
import { createTitles } from './features/titles/index.ts';
import type { UsersService } from './features/users/index.ts';
import { type Authenticate, refuseRestricted } from './platform/http/index.ts';

/** Maximum time for which a connection outlives its access token. */
const END_EXPIRED_EVERY_MS = 5_000;

interface RealtimeUses {
  readonly users: UsersService;
  readonly blocks: BlocksService;
  readonly pairs: BlockedPairs;
  readonly rooms: RoomsService;
  readonly images: ImagesService;
  readonly media: Media;
  readonly push: PushService;
}

/** The features on the one WebSocket of each tab, in dependency order. */
export function createRealtime(
  context: AppContext,
  authenticate: Authenticate,
  uses: RealtimeUses,
) {
  const { users, blocks, pairs, rooms, images, media, push } = uses;
  const hub = createHub(context, authenticate, pairs);
  const seats = new SeatWatch({ ...context, hub, rooms });
  const notices = new Notices({ ...context, hub });
  blocks.onChange((userId, blockedIds) =>
    notices.send(userId, { kind: 'blocks', blockedIds: [...blockedIds] }),
  );

  media.onMoved((moved) => {
    for (const { userId, roomId } of moved) notices.send(userId, { kind: 'mediaMoved', roomId });
  });

  const focus = createFocus(context, { rooms, notices });
  const { findCameras } = media;
  const hosting = createHosting(context, { rooms, notices, focus, findCameras });
  const groups = createGroups(context, { notices, focus, hosting, push });
  const seatLife = createSeatLife(context, { hub, rooms, focus });
  createPlan(context, { focus, notices });
  const titles = createTitles(context, { hub, rooms, notices, focus });
  createNods(context, { rooms, notices });
  createFriends(context, { users, rooms, blocks, notices, push, hosting });
  createPhaseAlarms(context, push);
  const pomodoro = createPomodoro(context, { rooms, focus });
  const presence = createPresence(context, {
    ...{ hub, seats, pairs, rooms, users },
    ...{ focus, seatLife, hosting, pomodoro },
  });
  const chat = createChat(context, { hub, seats, pairs, notices });
  const boards = createBoard(context, { hub, seats, pairs });
  const boardLife = createBoardLife(context, { boards, hosting, pairs, notices, images });

  return {
    hub,
    notices,
    titles,
    groups,
    focus,
    chat,
    boardLife,
    async close(): Promise<void> {
      await seatLife.close();
      await hub.close();
      chat.close();
      boards.close();
      presence.close();
    },
  };
}

export type Realtime = ReturnType<typeof createRealtime>;

/** The connections of this process, each with the blocks of its learner. */
function createHub(
  { http, jobs, clock, logger }: AppContext,
  authenticate: Authenticate,
  pairs: BlockedPairs,
): RealtimeHub {
  const hub = new RealtimeHub({
    logger,
    async authenticate(token) {
      const holder = await authenticate(token);
      // A restricted account may not have a connection.
      refuseRestricted(holder);
      return holder;
    },
  });
  hub.onArrival((userId) => pairs.watch(userId));
  hub.onDeparture((userId) => pairs.unwatch(userId));
  http.onUpgrade(REALTIME_PATH, (...upgrade) => hub.handleUpgrade(...upgrade));
  jobs.add({
    name: 'expired connections',
    everyMs: END_EXPIRED_EVERY_MS,
    runs: 'process',
    run: async () => hub.endExpired(clock.now()),
  });
  return hub;
}
