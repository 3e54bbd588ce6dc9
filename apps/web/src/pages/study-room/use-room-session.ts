import type { RoomId, UserId } from '@mogakgong/contract';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { beforeLogOut, useSession } from '../../features/auth/session.ts';
import { camera, markOnce } from '../../features/media/index.ts';
import { RoomSession, type RoomSnapshot, type RoomState } from '../../features/media/room.ts';
import { leaveStudyRoom } from '../../features/rooms/index.ts';
import { studyRoomPath } from '../../shared/lib/paths.ts';
import { createRoomDoor } from './room-door.ts';

interface Stay {
  readonly userId: UserId;
  readonly roomId: RoomId;
  /** The learner's name on their own tile. */
  readonly name: string;
}

/** States in which this tab holds no seat of its own, or already left it. */
const seatless: ReadonlySet<RoomState['kind']> = new Set([
  'refused',
  'replaced',
  'removed',
  'left',
]);

/** True when /main took the seat already, or this is a reload of the room. */
function isSeatedAlready(): boolean {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null && 'seated' in state && state.seated === true;
}

/** Ends a stay and gives up its seat, unless that is not this tab's to give. */
function leaveSeat(stay: RoomSession, userId: UserId): void {
  const hasSeat = !seatless.has(stay.getSnapshot().state.kind);
  stay.leave();
  if (hasSeat) leaveStudyRoom(userId).catch(() => undefined);
}

/** Ends a stay; who goes elsewhere on the site gives up the seat with it. */
function endStay(stay: RoomSession, userId: UserId, roomId: RoomId): void {
  const isElsewhere = window.location.pathname !== studyRoomPath(roomId);
  // After a log-out in another tab the API takes no call any more, and finds the seat by itself.
  const isKnown = useSession.getState().isLoggedIn;
  if (isElsewhere && isKnown) leaveSeat(stay, userId);
  else stay.leave();
}

/**
 * Runs the stay in a room for as long as its page is open; null in the moment before it begins.
 * A reload keeps the seat.
 */
export function useRoomSession({ userId, roomId, name }: Stay): RoomSession | null {
  const [session, setSession] = useState<RoomSession | null>(null);
  const nameRef = useRef(name);
  useEffect(() => {
    let stay: RoomSession | null = null;
    let isOver = false;
    const stopHeeding = beforeLogOut(() => {
      if (stay !== null) leaveSeat(stay, userId);
    });
    // A moment later, because React mounts everything twice while developing.
    queueMicrotask(() => {
      if (isOver) return;
      markOnce('room:click-enter');
      const door = createRoomDoor(userId, roomId, isSeatedAlready());
      stay = new RoomSession({
        door,
        camera,
        self: { identity: String(userId), name: nameRef.current },
      });
      stay.start();
      setSession(stay);
    });
    return () => {
      isOver = true;
      stopHeeding();
      if (stay !== null) endStay(stay, userId, roomId);
      setSession(null);
    };
  }, [userId, roomId]);
  return session;
}

const subscribeToNothing = () => () => undefined;

/** What the session shows now. */
export function useRoomSnapshot(session: RoomSession | null): RoomSnapshot | null {
  return useSyncExternalStore(
    session?.subscribe ?? subscribeToNothing,
    () => session?.getSnapshot() ?? null,
  );
}
