import type { RoomId, UserId } from '@mogakgong/contract';
import { beforeLogOut, restrictionOf, useSession } from '../../features/auth/session.ts';
import { camera } from '../../features/media/camera.ts';
import { ApiError, messageOf } from '../../shared/api/index.ts';
import { translate } from '../../shared/i18n/texts.ts';
import { reportRejection } from '../../shared/lib/watch-errors.ts';
import { notify } from '../../shared/ui/notify.ts';
import { type Seat, useCurrentRoom } from './current-room.ts';
import { assertRoomHasSeat, enterStudyRoom, leaveStudyRoom } from './room-calls.ts';
import type { RoomLive, RoomLiveOptions } from './room-live.ts';

const { getState, setState } = useCurrentRoom;

/** Downloads the room's code before entering. */
export const loadRoomCode = () => import('./room-live.ts');

/** The seat that is being given up: the next one is requested after that. */
let leaving: Promise<unknown> = Promise.resolve();
/** The current request to enter: the last one. */
let latestSignal: AbortSignal | undefined;
/**
 * A seat that could not be given up without a network: retried when it is back, unless the learner enters
 * again.
 */
let lateLeave: AbortController | undefined;

export interface Entry {
  readonly userId: UserId;
  /** Shown on the own tile. */
  readonly name: string;
  /** Without it the best free seat is taken. */
  readonly roomId?: RoomId | undefined;
  /** Gives up the seat in another room first. */
  readonly leavesSeat?: boolean | undefined;
}

/**
 * Takes a seat and opens its room. The request is never aborted, because the API may have received it: a seat
 * that arrives after `signal` was aborted is given up again, and the answer is null. Pages learn of the room
 * after the head start of its connection: rendering keeps the browser busy.
 * @throws ApiError where there is no seat, and the error of the code's download.
 */
export async function enterRoom(entry: Entry, signal: AbortSignal): Promise<RoomId | null> {
  const { userId } = entry;
  latestSignal = signal;
  lateLeave?.abort();
  await leaving;
  if (signal.aborted) return null;
  if (entry.leavesSeat) {
    if (entry.roomId !== undefined) await assertRoomHasSeat(entry.roomId);
    await (getState().seat ? leaveRoom() : giveUpSeat(userId));
  }
  const code = loadRoomCode();
  // It is awaited below, once there is a seat; a failure before that does not matter.
  code.catch(() => undefined);
  const { roomId, media } = await enterStudyRoom(userId, entry.roomId);
  const isHere = () => {
    const { live } = getState();
    return live?.roomId === roomId && live.isSeated;
  };
  // The server gives up a seat without a page; the learner is shown the earlier failure.
  const releaseSeat = () => giveUpSeat(userId).catch(() => undefined);
  const cancel = () => {
    if (latestSignal === signal && !isHere()) void releaseSeat();
    return null;
  };
  if (signal.aborted) return cancel();
  try {
    const seat = { userId, roomId, isCameraOn: true };
    if (isHere()) return roomId;
    const loaded = await code;
    if (signal.aborted) return cancel();
    const live = start(loaded, seat, { name: entry.name, media });
    await Promise.race([live.headStart, aborted(signal)]);
    if (!signal.aborted) {
      hold(seat, live);
      return roomId;
    }
    live.close();
    return cancel();
  } catch (error) {
    void releaseSeat();
    throw error;
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));

/** The seat being resumed after a reload, at most once. */
let resumed: Seat | null = null;

/** After a reload opens the room of the seat that this tab holds; a failure is shown in the room's place. */
export async function resumeRoom(userId: UserId, name: string): Promise<void> {
  const { seat, live: present } = getState();
  if (seat === null || present !== null || seat === resumed) return;
  if (seat.userId !== userId) return closeRoom();
  resumed = seat;
  setState({ hasResumeFailed: false });
  try {
    const code = await loadRoomCode();
    const isWanted = () => getState().seat === seat && getState().live === null;
    // Evaluating the code, connecting and rendering are long tasks: they run one after the other.
    await nextTask();
    if (!isWanted()) return;
    const live = start(code, seat, { name, onSeatGone: closeRoom });
    await nextTask();
    if (isWanted()) hold(seat, live);
    else live.close();
  } catch (error) {
    setState({ hasResumeFailed: true });
    reportRejection(error);
  } finally {
    resumed = null;
  }
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/** Connects to the room of a seat, before any page knows of it. */
function start(
  { RoomLive }: Awaited<ReturnType<typeof loadRoomCode>>,
  seat: Seat,
  options: Omit<RoomLiveOptions, 'userId' | 'roomId'>,
): RoomLive {
  getState().live?.close();
  camera.turn(seat.isCameraOn);
  const live = new RoomLive({ ...seat, ...options });
  live.start();
  return live;
}

/** Makes it the room of this tab, which pages show. */
function hold(seat: Seat, live: RoomLive): void {
  setState({ seat: live.isSeated ? seat : null, live, left: null });
  // A seat that another tab took over is taken back only by the learner, not by a reload.
  let latest = seat;
  live.store.subscribe(() => {
    const { seat: held, live: present } = getState();
    latest = held ?? latest;
    if (present !== live || live.isSeated === (held !== null)) return;
    setState({ seat: live.isSeated ? latest : null });
  });
}

/** Turns the own camera on or off for everybody, also for after a reload. */
export function turnCamera(isCameraOn: boolean): void {
  const { seat } = getState();
  if (seat === null) return;
  camera.turn(isCameraOn);
  setState({ seat: { ...seat, isCameraOn } });
}

/** Ends the room in this tab; the seat stays. */
export function closeRoom(): void {
  getState().live?.close();
  setState({ seat: null, live: null });
}

/**
 * Leaves the room: camera and media end at once, whatever the API answers; waiting presses are sent first.
 * While the server cannot be reached both are retried. A seat that is no longer this tab's is not given up.
 * `onLeft` is called when the API has answered.
 * @throws ApiError
 */
export async function leaveRoom(onLeft = () => {}): Promise<void> {
  const { seat, live } = getState();
  lateLeave?.abort();
  const presses = live?.leave() ?? null;
  // It is awaited with the seat below; without a seat the presses stay stored.
  presses?.catch(() => undefined);
  closeRoom();
  if (seat === null) return onLeft();
  setState({ leavingRoomId: seat.roomId });
  try {
    await giveUpSeat(seat.userId, presses);
  } catch (error) {
    if (isWithoutNetwork(error)) leaveLater(seat.userId, live);
    throw error;
  } finally {
    onLeft();
    setState({ leavingRoomId: null });
  }
}

/** Retry interval of leaving while the server cannot be reached; a returning network retries at once. */
const LEAVE_RETRY_MS = 8_000;

function leaveLater(userId: UserId, live: RoomLive | null): void {
  const later = new AbortController();
  lateLeave = later;
  let isTrying = false;
  const leave = async () => {
    if (isTrying) return;
    isTrying = true;
    const error = await giveUpSeat(userId, live?.leave() ?? null).catch((cause: unknown) => cause);
    if (!isWithoutNetwork(error)) later.abort();
    isTrying = false;
  };
  const { signal } = later;
  const timer = setInterval(() => void leave(), LEAVE_RETRY_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  window.addEventListener('online', () => void leave(), { signal });
}

const isWithoutNetwork = (error: unknown) => error instanceof ApiError && error.status === 0;

/** `leaveRoom` by a press: /main shows a summary of the visit; a failure is shown in a dialog. */
export function leaveRoomOrShowError(onLeft?: () => void): void {
  const { seat } = getState();
  leaveRoom(onLeft).then(
    () => seat && setState({ left: { userId: seat.userId, atMs: Date.now() } }),
    (error: unknown) => {
      const failure = translate('room.leaveFailed');
      const text = isWithoutNetwork(error)
        ? translate('room.leaveLater')
        : messageOf(error, failure);
      void notify.dialog(text === failure ? { text } : { title: failure, text });
    },
  );
}

/** Gives up a learner's seat in any room, once `presses` are sent; the next one is requested after that. */
function giveUpSeat(userId: UserId, presses: Promise<void> | null = null): Promise<void> {
  const leave = () => leaveStudyRoom(userId);
  const left = presses ? presses.then(leave) : leave();
  // The caller handles a failure; the next entry only waits.
  leaving = left.catch(() => undefined);
  return left;
}

// A log-out ends the seat on the server as well.
beforeLogOut(() => void leaveRoom().catch(() => undefined));
// After a log-out in another tab, or a suspension, the API accepts no more calls, and finds the seat itself.
useSession.subscribe((session) => {
  const { seat, live } = getState();
  const holder = seat ?? live;
  const { isLoggedIn, user } = session;
  const isUsable = isLoggedIn && restrictionOf(session) === null;
  if (holder && (!isUsable || user?.userId !== holder.userId)) closeRoom();
});
