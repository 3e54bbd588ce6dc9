import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { storageKeys } from '../../shared/lib/storage-keys.ts';

const name = storageKeys.saveData;

/** Why less is sent and received: the learner's choice, the browser's setting, or a shortage of the machine. */
export type SavingReason = 'choice' | 'browser' | 'cpu' | 'battery';

interface SaveData {
  /** The learner's own choice; null: the browser's setting. */
  readonly choice: boolean | null;
  /** A shortage of the machine may start saving. */
  readonly isAutomatic: boolean;
  /** The machine's current shortage. */
  readonly need: 'cpu' | 'battery' | null;
}

/** The choices stay in this browser. */
export const useSaveData = create(
  persist((): SaveData => ({ choice: null, isAutomatic: true, need: null }), {
    name,
    partialize: ({ choice, isAutomatic }) => ({ choice, isAutomatic }),
  }),
);

/** Why less is sent and received now; null without a reason. */
export function savingReason({ choice, isAutomatic, need }: SaveData): SavingReason | null {
  if (choice === true) return 'choice';
  if (choice === null && isAskedByBrowser()) return 'browser';
  return isAutomatic ? need : null;
}

/** Why less is sent and received now, also used by background effects; null without a reason. */
export const useSavingReason = (): SavingReason | null => useSaveData(savingReason);

function isAskedByBrowser(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}
