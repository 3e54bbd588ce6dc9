import { RoomId, UserId } from '@mogakgong/contract';
import * as z from 'zod/mini';
import { create } from 'zustand';
import { storageKeys } from '../../shared/lib/storage-keys.ts';
import { readStored, writeStored } from '../../shared/lib/stored.ts';
import type { RoomLive } from './room-live.ts';

/** The seat that this tab holds, across pages and reloads. */
const Seat = z.object({ userId: UserId, roomId: RoomId, isCameraOn: z.boolean() });
export type Seat = z.infer<typeof Seat>;

interface CurrentRoom {
  readonly seat: Seat | null;
  /** The running room; null while its code is downloaded after a reload. */
  readonly live: RoomLive | null;
  /** The room of the seat could not be opened after a reload. */
  readonly hasResumeFailed: boolean;
  /** The room of the seat that is being given up. */
  readonly leavingRoomId: RoomId | null;
  /** The learner after leaving by a press, and the time; cleared when they close the summary or enter again. */
  readonly left: { readonly userId: UserId; readonly atMs: number } | null;
}

function storedSeat(): Seat | null {
  try {
    return Seat.parse(JSON.parse(readStored(storageKeys.seat, 'tab') ?? ''));
  } catch {
    return null;
  }
}

/** The room of this tab, shared by all pages. */
export const useCurrentRoom = create<CurrentRoom>()(() => ({
  seat: storedSeat(),
  live: null,
  hasResumeFailed: false,
  leavingRoomId: null,
  left: null,
}));

useCurrentRoom.subscribe(({ seat }, before) => {
  if (seat === before.seat) return;
  writeStored(storageKeys.seat, seat && JSON.stringify(seat), 'tab');
});
