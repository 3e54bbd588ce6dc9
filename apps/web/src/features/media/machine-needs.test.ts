import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchMachine } from './machine-needs.ts';
import { savingReason, useSaveData } from './save-data.ts';

class FakeBattery extends EventTarget {
  charging = false;
  level = 1;
}

const battery = new FakeBattery();
const disconnect = vi.fn();
let press: (state: string) => void;
let stop: () => void;

const reason = () => savingReason(useSaveData.getState());
const setBattery = (change: Partial<FakeBattery>) => {
  Object.assign(battery, change);
  battery.dispatchEvent(new Event('levelchange'));
};

async function watch(machine: object) {
  const device = { deviceMemory: 8, hardwareConcurrency: 8, getBattery: async () => battery };
  vi.stubGlobal('navigator', { ...device, ...machine });
  stop = watchMachine();
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => {
  vi.useFakeTimers();
  useSaveData.setState(useSaveData.getInitialState());
  Object.assign(battery, { charging: false, level: 1 });
  vi.stubGlobal(
    'PressureObserver',
    class {
      constructor(report: (records: { state: string }[]) => void) {
        press = (state) => report([{ state }]);
      }
      observe = async () => undefined;
      disconnect = disconnect;
    },
  );
});
afterEach(() => stop());

test.each([
  ['8 GB and 8 cores', {}, 20_000],
  ['4 GB', { deviceMemory: 4 }, 5_000],
  ['2 cores', { hardwareConcurrency: 2 }, 5_000],
])('a processor that stays under pressure saves, with %s', async (_name, machine, afterMs) => {
  await watch(machine);
  expect(reason()).toBeNull();
  press('serious');
  vi.advanceTimersByTime(afterMs - 1);
  press('critical');
  expect(reason()).toBeNull();
  vi.advanceTimersByTime(1);
  expect(reason()).toBe('cpu');
});

test('short pressure starts no saving, and saving does not flap', async () => {
  await watch({});
  press('critical');
  vi.advanceTimersByTime(19_000);
  press('fair');
  vi.advanceTimersByTime(60_000);
  expect(reason()).toBeNull();
  for (const calmMs of [60_000, 120_000]) {
    press('critical');
    vi.advanceTimersByTime(20_000);
    press('nominal');
    vi.advanceTimersByTime(calmMs - 1);
    expect(reason()).toBe('cpu');
    vi.advanceTimersByTime(1);
    expect(reason()).toBeNull();
  }
});

test('a battery starts saving at 20 % and ends it when charging or above 25 %', async () => {
  await watch({});
  setBattery({ level: 0.21 });
  expect(reason()).toBeNull();
  setBattery({ level: 0.2 });
  expect(reason()).toBe('battery');
  setBattery({ level: 0.25 });
  expect(reason()).toBe('battery');
  setBattery({ charging: true });
  expect(reason()).toBeNull();
});

test('the learner’s choice overrides the browser’s setting and the machine’s shortage', async () => {
  await watch({ connection: { saveData: true } });
  setBattery({ level: 0.1 });
  expect(reason()).toBe('browser');
  useSaveData.setState({ mode: 'never' });
  expect(reason()).toBeNull();
  useSaveData.setState({ mode: 'always' });
  expect(reason()).toBe('choice');
});

test('nothing is watched after the room', async () => {
  await watch({});
  press('serious');
  stop();
  vi.advanceTimersByTime(60_000);
  setBattery({ level: 0.1 });
  expect(useSaveData.getState().need).toBeNull();
  expect(disconnect).toHaveBeenCalled();
});
