import {
  type FocusClock,
  isAbsent,
  type PomodoroSchedule,
  type RoomAbout,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { shallow } from 'zustand/vanilla/shallow';
import { blockedIdsOf, onBlocksChanged } from '../../features/blocks/blocks.ts';
import type { BoardRoom } from '../../features/board/board-room.ts';
import { ChatRoom } from '../../features/chat/chat-room.ts';
import { UnsentStore } from '../../features/chat/outbox.ts';
import { OwnTimer } from '../../features/focus/own-timer.ts';
import { camera } from '../../features/media/camera.ts';
import { markOnce } from '../../features/media/performance-marks.ts';
import {
  isUnderWay,
  type MediaSnapshot,
  RoomMedia,
  type Sending,
} from '../../features/media/room.ts';
import { takeOwnCard } from '../../shared/api/profile.ts';
import { onSecond, serverNowMs } from '../../shared/clock/index.ts';
import { reportRejection } from '../../shared/lib/watch-errors.ts';
import { RealtimeConnection } from '../../shared/realtime/realtime-connection.ts';
import { clockOf } from '../../shared/today/own-clock.ts';
import { useOwnClock } from '../../shared/today/today.ts';
import { type Tile, type TileSources, tilesOf } from '../tiles/tiles.ts';
import { readOwnAgain, takeNotice } from './live-notices.ts';
import { reportOwnPicture } from './own-picture.ts';
import { paced } from './paced.ts';
import { membersAt, Presence, type PresenceSnapshot, type ScheduleChange } from './presence.ts';
import { useRoomView } from './room-view.ts';
import { type SeatOptions, seatAccess } from './seat-access.ts';

/**
 * A member who changes an answer in turn makes every page of the group ask three routes again: thirty learners of a class
 * behind one address would use up its calls.
 */
const GROUP_CHANGES_APART_MS = 10_000;

/** The state of the learner's room. */
export interface RoomLiveState extends TileSources {
  readonly media: MediaSnapshot;
  /** The realtime connection was lost and is not back yet: chat, statuses and seats are not updated. */
  readonly isServerLost: boolean;
  /** The schedule of the room, or null. */
  readonly pomodoro: PomodoroSchedule | null;
  /** Of a room that has a host; else null. */
  readonly about: RoomAbout | null;
  /** Null while there is no realtime connection. */
  readonly chat: ChatRoom | null;
  /** Null until the learner opens it, and while there is no realtime connection. */
  readonly board: BoardRoom | null;
  readonly tiles: readonly Tile[];
}

export interface RoomLiveOptions extends SeatOptions {
  /** Shown on the own tile until the room sends it. */
  readonly name: string;
}

/** In a break the own picture is sent slowly, while the learner is away not at all. */
function sendingFor(clock: FocusClock | null): Sending {
  if (isAbsent(clock)) return 'withheld';
  return clock?.status === 'pause' ? 'slow' : 'whole';
}

/** How long everything else waits for the media connection at most, in ms. */
const HEAD_START_MS = 300;

/**
 * The learner's room from taking the seat to leaving it, on any page: media, realtime connection, members and
 * chat. Pages view its `store`.
 */
export class RoomLive {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly store: StoreApi<RoomLiveState>;
  /** Sends the learner's presses of the timer. */
  readonly timer: OwnTimer;
  readonly #media: RoomMedia;
  readonly #stops: (() => void)[] = [];
  /**
   * Resolves when connecting no longer needs the page, after `HEAD_START_MS` at most; until then nothing else
   * runs.
   */
  readonly headStart: Promise<void>;
  #isHeadStartOver = false;
  #isClosed = false;
  #realtime: RealtimeConnection | null = null;
  #closeConnection: (() => void) | null = null;
  #stopWatchingPicture: (() => void) | null = null;
  #isBoardShown = false;

  constructor(options: RoomLiveOptions) {
    const { userId, roomId, name } = options;
    this.userId = userId;
    this.roomId = roomId;
    this.timer = new OwnTimer(userId, roomId);
    const isFirstTry = () => this.store.getState().media.state.kind === 'entering';
    this.#media = new RoomMedia(seatAccess(options, isFirstTry), camera);
    const limit = new Promise<void>((resolve) => setTimeout(resolve, HEAD_START_MS));
    this.headStart = Promise.race([this.#media.firstStep, limit]);
    this.store = createStore<RoomLiveState>()(() => ({
      selfId: userId,
      selfName: name,
      camera: camera.store.getState(),
      media: this.#media.store.getState(),
      members: null,
      isLive: false,
      isServerLost: false,
      pomodoro: null,
      about: null,
      chat: null,
      board: null,
      hidden: new Set(),
      blocked: blockedIdsOf(userId),
      tiles: [],
    }));
  }

  /** Connects; call once. */
  start(): void {
    markOnce('room:click-enter');
    this.#stops.push(
      this.#media.store.subscribe((media) => this.#mediaChanged(media)),
      camera.store.subscribe((state) => this.#update({ camera: state })),
      useRoomView.subscribe(({ enlarged }) => this.#media.setWishes({ enlarged })),
      useOwnClock.subscribe((own) => this.#media.setWishes({ sending: sendingFor(clockOf(own)) })),
      onBlocksChanged(() => this.#update({ blocked: blockedIdsOf(this.userId) })),
    );
    this.#media.start();
    void this.headStart.then(() => {
      this.#isHeadStartOver = true;
      if (!this.#isClosed) this.#mediaChanged(this.#media.store.getState());
    });
    this.#update({ camera: camera.store.getState() });
  }

  /** Ends everything in this tab; the caller gives the seat up or keeps it. */
  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    this.#closeConnection?.();
    this.#media.close();
    this.timer.close();
  }

  /**
   * The learner leaves: written messages are not sent to the next learner of this seat; presses are sent
   * before the seat is given up (OwnTimer.sendLast).
   */
  leave(): Promise<void> | null {
    this.#endGathering();
    return this.timer.sendLast();
  }

  #endGathering(): void {
    new UnsentStore(this.userId).endUnknownGathering(this.roomId);
  }

  /** True unless the seat is another tab's or gone. */
  get isSeated(): boolean {
    return isUnderWay(this.store.getState().media.state);
  }

  /** Enters again after the seat was refused, taken over or given up. */
  readonly enter = (): void => this.#media.enter();

  /** Lets the pictures play; call it from a click. */
  readonly startPlayback = (): void => this.#media.startPlayback();

  /**
   * Opens the board while there is a connection; the caller provides its code. Returns a function to call
   * when it is no longer shown: the board closes once everything drawn is sent.
   */
  readonly openBoard = (Board: typeof BoardRoom): (() => void) => {
    const { userId, roomId } = this;
    const transport = this.#realtime;
    if (transport !== null && this.store.getState().board === null) {
      this.#update({ board: new Board({ roomId, userId, transport }) });
    }
    this.#isBoardShown = true;
    return () => {
      this.#isBoardShown = false;
      // The surface may report a last change while it is unmounted.
      queueMicrotask(() => this.#closeUnseenBoard());
    };
  };

  /** Hides a tile in this browser, or shows it again; a hidden picture is not downloaded. */
  readonly setHidden = (userId: UserId, isHidden: boolean): void => {
    const hidden = new Set(this.store.getState().hidden);
    if (isHidden) hidden.add(userId);
    else hidden.delete(userId);
    this.#update({ hidden });
  };

  #mediaChanged(media: MediaSnapshot): void {
    const { kind } = media.state;
    if (kind === 'removed') {
      this.#endGathering();
      this.timer.discard();
    }
    if (!isUnderWay(media.state)) this.#closeConnection?.();
    // The server accepts subscriptions of seated learners only.
    else if (kind !== 'entering' && this.#isHeadStartOver) this.#connect();
    this.#update({ media });
  }

  #connect(): void {
    if (this.#closeConnection !== null) return;
    const { userId, roomId } = this;
    const realtime = new RealtimeConnection({
      onNotice: (notice) => {
        if (notice.kind === 'changed' && notice.what === 'groups') groupChanges.run();
        else takeNotice(this.#notified(), notice);
      },
    });
    realtime.start();
    this.#realtime = realtime;
    const presence = new Presence(roomId, realtime, (change) => {
      if (change.userId !== userId) this.#announceSchedule(change);
    });
    const groupChanges = paced(() => {
      presence.readGroupAgain();
      takeNotice(this.#notified(), { kind: 'changed', what: 'groups' });
    }, GROUP_CHANGES_APART_MS);
    const chat = new ChatRoom({ roomId, userId, transport: realtime });
    const stops = [
      groupChanges.stop,
      presence.store.subscribe((state, before) => {
        this.#update({ ...state, members: membersAt(state.members, serverNowMs()) });
        if (state.about?.needsCamera) this.#watchPicture();
        const ownOf = ({ members }: PresenceSnapshot) =>
          members?.find((member) => member.userId === userId);
        const own = ownOf(state);
        if (own && own !== ownOf(before)) takeOwnCard(userId, own);
        this.timer.setPresent(own?.clock ?? null);
      }),
      onSecond(() => {
        const { members } = this.store.getState();
        const now = membersAt(members, serverNowMs());
        if (now !== members) this.#update({ members: now });
      }),
      realtime.store.subscribe(({ state, gaps }, before) => {
        if (state !== 'connecting') this.#update({ isServerLost: state === 'disconnected' });
        if (gaps === before.gaps) return;
        this.timer.sendNow();
        readOwnAgain(userId, { isFirst: gaps === 1, isOver: () => this.#realtime !== realtime });
      }),
    ];
    this.#update({ chat });
    this.#closeConnection = () => {
      this.#closeConnection = null;
      this.#stopWatchingPicture?.();
      this.#stopWatchingPicture = null;
      this.#realtime = null;
      this.store.getState().board?.close();
      for (const stop of stops) stop();
      chat.close();
      presence.close();
      realtime.close();
      this.#update({
        chat: null,
        board: null,
        members: null,
        isLive: false,
        isServerLost: false,
      });
    };
  }

  /** The room that a notice finds. */
  #notified(): Parameters<typeof takeNotice>[0] {
    const { userId, roomId } = this;
    return { userId, roomId, media: this.#media, state: this.store.getState() };
  }

  #announceSchedule({ userId: by, schedule }: ScheduleChange): void {
    const { userId, roomId } = this;
    const name = this.store.getState().members?.find((member) => member.userId === by)?.nickname;
    import('../../features/pomodoro/index.ts')
      .then(({ announceSchedule }) => announceSchedule({ userId, roomId, schedule, name }))
      .catch(reportRejection);
  }

  #watchPicture(): void {
    this.#stopWatchingPicture ??= reportOwnPicture(this.roomId);
  }

  #closeUnseenBoard(): void {
    const { board } = this.store.getState();
    if (board === null || this.#isBoardShown) return;
    if (!board.store.getState().hasUnsent) {
      board.close();
      this.#update({ board: null });
      return;
    }
    const stop = board.store.subscribe(() => {
      stop();
      this.#closeUnseenBoard();
    });
  }

  #update(change: Partial<Omit<RoomLiveState, 'tiles'>>): void {
    const before = this.store.getState();
    const next = { ...before, ...change };
    const tiles = tilesOf(before.tiles, next);
    const isSame = shallow(tiles, before.tiles);
    this.store.setState({ ...next, tiles: isSame ? before.tiles : tiles });
    this.timer.setSilent(next.isServerLost && !next.media.arePicturesFlowing);
    if (change.hidden !== undefined || change.blocked !== undefined) {
      this.#media.setWishes({ unwanted: new Set([...next.hidden, ...next.blocked]) });
    }
  }
}
