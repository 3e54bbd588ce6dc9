import type { UserId } from '@mogakgong/contract';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { storageKeys } from '../../shared/lib/storage-keys.ts';

/** How the end of a phase is signalled to a learner, in every room. */
export interface SignalSettings {
  readonly hasSound: boolean;
  readonly notifies: boolean;
}

interface Stored {
  readonly byUser: Readonly<Record<string, SignalSettings>>;
}

const defaults: SignalSettings = { hasSound: true, notifies: false };

/** Kept in this browser. */
const useStored = create(
  persist((): Stored => ({ byUser: {} }), {
    name: storageKeys.pomodoro,
    version: 4,
    // Earlier versions also stored which schedule is followed: the server knows it now.
    migrate: (before) => ({ byUser: (before as Partial<Stored>).byUser ?? {} }),
  }),
);

/** How the end of a phase is signalled to a learner. */
export function useSignals(userId: UserId): SignalSettings {
  return useStored(({ byUser }) => byUser[userId] ?? defaults);
}

export function changeSignals(userId: UserId, change: Partial<SignalSettings>): void {
  const { byUser } = useStored.getState();
  useStored.setState({
    byUser: { ...byUser, [userId]: { ...defaults, ...byUser[userId], ...change } },
  });
}
