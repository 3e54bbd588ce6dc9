import { useSaveData } from './save-data.ts';

/** In browsers that report processor pressure. */
type PressureObserverClass = new (
  report: (records: readonly { readonly state: string }[]) => void,
) => {
  observe(source: 'cpu', options: { readonly sampleInterval: number }): Promise<void>;
  disconnect(): void;
};

/** In browsers that report their battery. */
interface Battery extends EventTarget {
  readonly charging: boolean;
  readonly level: number;
}

const SAMPLE_EVERY_MS = 2_000;
/**
 * How long the processor must be under pressure before saving starts. A small machine has no reserve; being
 * small alone is no reason to save, because a room is designed for it (design §1).
 */
const PRESSURE_MS = { smallMachine: 5_000, otherMachine: 20_000 } as const;
/** How long pressure must be absent before saving ends; doubled each time to avoid flapping. */
const CALM_MS = 60_000;
const CALM_MAX_MS = 15 * 60_000;

/** Saving starts at this level of a discharging battery, and ends above the other. */
const LOW_LEVEL = 0.2;
const ENOUGH_LEVEL = 0.25;

/** Watches for shortages of the machine while a room is open. Returns a cleanup function. */
export function watchMachine(): () => void {
  const stop = new AbortController();
  const needs = { cpu: false, battery: false };
  const set = (name: keyof typeof needs, isShort: boolean) => {
    needs[name] = isShort;
    const ofProcessor = needs.cpu ? 'cpu' : null;
    useSaveData.setState({ need: needs.battery ? 'battery' : ofProcessor });
  };
  watchProcessor((isShort) => set('cpu', isShort), stop.signal);
  // A browser that does not report its battery counts as powered.
  watchBattery((isShort) => set('battery', isShort), stop.signal).catch(() => undefined);
  return () => {
    stop.abort();
    useSaveData.setState({ need: null });
  };
}

function watchProcessor(onChange: (isShort: boolean) => void, signal: AbortSignal): void {
  const { PressureObserver } = globalThis as { PressureObserver?: PressureObserverClass };
  if (PressureObserver === undefined) return;
  let isShort = false;
  let calmMs = CALM_MS;
  let change: ReturnType<typeof setTimeout> | undefined;
  const turn = () => {
    change = undefined;
    isShort = !isShort;
    if (!isShort) calmMs = Math.min(2 * calmMs, CALM_MAX_MS);
    onChange(isShort);
  };
  const observer = new PressureObserver((records) => {
    const state = records.at(-1)?.state;
    const isUnderPressure = state === 'serious' || state === 'critical';
    if (isUnderPressure !== isShort) {
      change ??= setTimeout(turn, isShort ? calmMs : pressureMs());
      return;
    }
    clearTimeout(change);
    change = undefined;
  });
  // A browser that does not report pressure counts as having none.
  observer.observe('cpu', { sampleInterval: SAMPLE_EVERY_MS }).catch(() => undefined);
  signal.addEventListener('abort', () => {
    clearTimeout(change);
    observer.disconnect();
  });
}

function pressureMs(): number {
  const { deviceMemory, hardwareConcurrency } = navigator as {
    readonly deviceMemory?: number;
    readonly hardwareConcurrency: number;
  };
  const isSmall = (deviceMemory !== undefined && deviceMemory <= 4) || hardwareConcurrency <= 2;
  return isSmall ? PRESSURE_MS.smallMachine : PRESSURE_MS.otherMachine;
}

async function watchBattery(
  onChange: (isShort: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  const { getBattery } = navigator as { getBattery?: () => Promise<Battery> };
  const battery = await getBattery?.call(navigator);
  if (battery === undefined || signal.aborted) return;
  let isLow = false;
  const follow = () => {
    isLow = !battery.charging && battery.level <= (isLow ? ENOUGH_LEVEL : LOW_LEVEL);
    onChange(isLow);
  };
  battery.addEventListener('chargingchange', follow, { signal });
  battery.addEventListener('levelchange', follow, { signal });
  follow();
}
