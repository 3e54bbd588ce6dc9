import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { storageKeys } from '../../shared/lib/storage-keys.ts';

const name = storageKeys.saveData;

/** Why less is sent and received: the learner's choice, the browser's setting, or what the machine is short of. */
export type SavingReason = 'choice' | 'browser' | 'cpu' | 'battery';

interface SaveData {
  /** The learner's own choice; null: that of their browser. */
  readonly choice: boolean | null;
  /** A machine that is short of power may start it by itself. */
  readonly isAutomatic: boolean;
  /** What the machine is short of now. */
  readonly need: 'cpu' | 'battery' | null;
}

/** The choices stay in this browser. */
export const useSaveData = create(
  persist((): SaveData => ({ choice: null, isAutomatic: true, need: null }), {
    name,
    partialize: ({ choice, isAutomatic }) => ({ choice, isAutomatic }),
  }),
);

/** Why less is sent and received now; null: there is no reason. */
export function savingReason({ choice, isAutomatic, need }: SaveData): SavingReason | null {
  if (choice === true) return 'choice';
  if (choice === null && isAskedByBrowser()) return 'browser';
  return isAutomatic ? need : null;
}

/** Why less is sent and received now, also by background effects; null: there is no reason. */
export const useSavingReason = (): SavingReason | null => useSaveData(savingReason);

function isAskedByBrowser(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}
