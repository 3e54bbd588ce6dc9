import type { UserId } from '@mogakgong/contract';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { storageKeys } from '../../shared/lib/storage-keys.ts';

const name = storageKeys.roomView;

/** How the learner looks at the room. */
interface RoomView {
  /** One's own picture is not shown to oneself; the others go on seeing it. */
  readonly isSelfViewHidden: boolean;
  /** One's own picture is shown as in a mirror. */
  readonly isMirrored: boolean;
  /** Nods of neighbours are shown. */
  readonly showsNods: boolean;
  /** Nothing but pictures and clocks, until the pointer moves; of this page only. */
  readonly isFocusMode: boolean;
  /** Whose tile is large, if any; of this page only. */
  readonly enlarged: UserId | null;
  /** Who nods to the learner just now. */
  readonly nodding: UserId | null;
}

/** The choices about one's own picture and about nods stay in this browser. */
export const useRoomView = create(
  persist(
    (): RoomView => ({
      isSelfViewHidden: false,
      isMirrored: true,
      showsNods: true,
      isFocusMode: false,
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

export function toggleFocusMode(): void {
  useRoomView.setState(({ isFocusMode }) => ({ isFocusMode: !isFocusMode }));
}
