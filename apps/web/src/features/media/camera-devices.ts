import { useEffect, useState } from 'react';
import { storageKeys } from '../../shared/lib/storage-keys.ts';
import { readStored, writeStored } from '../../shared/lib/stored.ts';

/** The chosen camera. Browsers sometimes change ids; then its name finds it again. */
interface ChosenCamera {
  readonly id: string;
  readonly label: string;
}

/** The cameras that the browser lists; without names before the permission, in some without ids. */
export async function listCameras(): Promise<readonly MediaDeviceInfo[]> {
  const devices = (await navigator.mediaDevices?.enumerateDevices?.().catch(() => [])) ?? [];
  return devices.filter(({ kind }) => kind === 'videoinput');
}

/** Remembers the camera that the learner chose, over reloads. */
export function rememberCamera({ id, label }: ChosenCamera): void {
  writeStored(storageKeys.camera, JSON.stringify({ id, label }));
}

/** The current id of the camera that the learner chose; null where they never chose one. */
export async function chosenCameraId(): Promise<string | null> {
  const stored = readStored(storageKeys.camera);
  if (stored === null) return null;
  const chosen = parseChosen(stored);
  const cameras = await listCameras();
  if (cameras.some(({ deviceId }) => deviceId === chosen.id)) return chosen.id;
  // The choice is kept while the camera is unnamed (no permission) or unplugged.
  const renamed = cameras.find(({ label }) => label !== '' && label === chosen.label);
  return renamed?.deviceId ?? chosen.id;
}

function parseChosen(stored: string): ChosenCamera {
  try {
    const { id, label } = JSON.parse(stored) as Partial<ChosenCamera>;
    return { id: String(id), label: String(label ?? '') };
  } catch {
    return { id: stored, label: '' };
  }
}

/** The cameras of this computer, read again whenever `when` or one of them changes. */
export function useCameraDevices(when: unknown): readonly MediaDeviceInfo[] {
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: names and ids are there once a camera is on
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const load = async () => {
      const found = await listCameras();
      if (!signal.aborted) setDevices(found);
    };
    void load();
    navigator.mediaDevices?.addEventListener?.('devicechange', () => void load(), { signal });
    return () => stop.abort();
  }, [when]);
  return devices;
}
