import { expect, test, vi } from 'vitest';

vi.mock('./ambient-worklet.ts?worker&url', () => ({ default: 'worklet.js' }));
const { playAmbient, stopAmbient } = await import('./ambient-player.ts');

const suspend = vi.fn(async () => undefined);

const newNode = () => ({
  gain: { setTargetAtTime: vi.fn(), setValueAtTime: vi.fn(), linearRampToValueAtTime: vi.fn() },
  port: { postMessage: vi.fn() },
  context: { currentTime: 0 },
  connect: <To>(to: To) => to,
  disconnect: vi.fn(),
});

/** Replaces the browser's audio output, which jsdom lacks. */
class FakeAudioContext {
  readonly currentTime = 0;
  readonly destination = {};
  readonly audioWorklet = { addModule: async () => undefined };
  readonly createGain = newNode;
  readonly resume = async () => undefined;
  readonly suspend = suspend;
}

class FakeWorkletNode {
  constructor() {
    Object.assign(this, newNode());
  }
}

test('a sound that stopped with the room and is played again at once keeps playing', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('AudioContext', FakeAudioContext);
  vi.stubGlobal('AudioWorkletNode', FakeWorkletNode);
  await playAmbient();
  stopAmbient();
  stopAmbient();
  await playAmbient();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(suspend).not.toHaveBeenCalled();
  stopAmbient();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(suspend).toHaveBeenCalledTimes(1);
});
