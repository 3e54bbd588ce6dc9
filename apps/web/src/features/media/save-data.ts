import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { storageKeys } from '../../shared/lib/storage-keys.ts';

const name = storageKeys.saveData;

/** When less is sent and received; `automatic`: if the browser asks for it, or the machine is short. */
export const savingModes = ['automatic', 'always', 'never'] as const;
type SavingMode = (typeof savingModes)[number];

/** Why less is sent and received: the learner's choice, the browser's setting, or a shortage of the machine. */
export type SavingReason = 'choice' | 'browser' | 'cpu' | 'battery';

interface SaveData {
  readonly mode: SavingMode;
  /** The machine's current shortage. */
  readonly need: 'cpu' | 'battery' | null;
}

/** The mode stays in this browser. */
export const useSaveData = create(
  persist((): SaveData => ({ mode: 'automatic', need: null }), {
    name,
    partialize: ({ mode }) => ({ mode }),
  }),
);

/** Why less is sent and received now; null without a reason. */
export function savingReason({ mode, need }: SaveData): SavingReason | null {
  if (mode !== 'automatic') return mode === 'always' ? 'choice' : null;
  return isAskedByBrowser() ? 'browser' : need;
}

/** Why less is sent and received now, also used by background effects; null without a reason. */
export const useSavingReason = (): SavingReason | null => useSaveData(savingReason);

function isAskedByBrowser(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}
