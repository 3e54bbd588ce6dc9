import type { UserId } from '@mogakgong/contract';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { storageKeys } from '../../shared/lib/storage-keys.ts';

const name = storageKeys.roomView;

/** The learner's view settings of the room. */
interface RoomView {
  /** The learner's own picture is hidden from themselves; the others still see it. */
  readonly isSelfViewHidden: boolean;
  /** The learner's own picture is mirrored. */
  readonly isMirrored: boolean;
  /** Nods of neighbours are shown. */
  readonly showsNods: boolean;
  /** Only pictures and clocks until the pointer moves; not persisted. Changed by `setFullScreen`. */
  readonly isFullScreen: boolean;
  /** The learner on the enlarged tile, if any; not persisted. */
  readonly enlarged: UserId | null;
  /** The learner nodding to this one. */
  readonly nodding: UserId | null;
}

/** The settings of the own picture and of nods stay in this browser. */
export const useRoomView = create(
  persist(
    (): RoomView => ({
      isSelfViewHidden: false,
      isMirrored: true,
      showsNods: true,
      isFullScreen: false,
      enlarged: null,
      nodding: null,
    }),
    {
      name,
      partialize: ({ isSelfViewHidden, isMirrored, showsNods }) => ({
        isSelfViewHidden,
        isMirrored,
        showsNods,
      }),
    },
  ),
);

export function toggleSelfView(): void {
  useRoomView.setState(({ isSelfViewHidden }) => ({ isSelfViewHidden: !isSelfViewHidden }));
}
