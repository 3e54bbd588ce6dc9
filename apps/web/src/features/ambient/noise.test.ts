import { describe, expect, test } from 'vitest';
import { type AmbientSound, ambientGenerator, ambientSounds } from './noise.ts';

const SAMPLE_RATE = 48_000;
/** Samples that an audio worklet asks for at a time. */
const BLOCK = 128;

/** Numbers that are the same in every run (xorshift). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function render(sound: AmbientSound, seconds: number): [Float32Array, Float32Array] {
  const generate = ambientGenerator(sound, SAMPLE_RATE, seededRandom(42));
  const left = new Float32Array(seconds * SAMPLE_RATE);
  const right = new Float32Array(left.length);
  for (let start = 0; start < left.length; start += BLOCK) {
    generate(left.subarray(start, start + BLOCK), right.subarray(start, start + BLOCK));
  }
  return [left, right];
}

const meanOf = (values: Float32Array) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const rmsOf = (samples: Float32Array) =>
  Math.sqrt(meanOf(samples.map((sample) => sample * sample)));

/** The power at one frequency (Goertzel), in dB, over windows of 0.1 s. */
function powerAt(samples: Float32Array, hz: number): number {
  const size = SAMPLE_RATE / 10;
  const turn = 2 * Math.cos((2 * Math.PI * hz) / SAMPLE_RATE);
  let power = 0;
  for (let start = 0; start + size <= samples.length; start += size) {
    let [before, last] = [0, 0];
    for (const sample of samples.subarray(start, start + size)) {
      [before, last] = [last, sample + turn * last - before];
    }
    power += last * last + before * before - turn * last * before;
  }
  return 10 * Math.log10(power);
}

/** Autocorrelation of the sound at a lag in samples, −1 to 1. */
function likeness(samples: Float32Array, later: number): number {
  const shifted = samples.subarray(later);
  const product = shifted.map((sample, index) => sample * (samples[index] ?? 0));
  return meanOf(product) / rmsOf(samples) ** 2;
}

describe.each(ambientSounds)('the sound %s', (sound) => {
  const [left, right] = render(sound, 8);

  test('is heard, never clips, and has no offset', () => {
    for (const channel of [left, right]) {
      expect(rmsOf(channel)).toBeGreaterThan(0.02);
      expect(rmsOf(channel)).toBeLessThan(0.2);
      expect(channel.every((sample) => Math.abs(sample) < 1)).toBe(true);
      expect(Math.abs(meanOf(channel))).toBeLessThan(0.005);
    }
  });

  test('is even: no second is twice as strong as another', () => {
    const seconds = Array.from({ length: 8 }, (_, second) =>
      rmsOf(left.subarray(second * SAMPLE_RATE, (second + 1) * SAMPLE_RATE)),
    );
    expect(Math.max(...seconds) / Math.min(...seconds)).toBeLessThan(2);
  });

  test('does not repeat', () => {
    for (const seconds of [0.5, 1, 2, 4]) {
      expect(Math.abs(likeness(left, seconds * SAMPLE_RATE))).toBeLessThan(0.1);
    }
  });

  test('is stereo: the ears hear different noise', () => {
    const both = left.map((sample, index) => sample * (right[index] ?? 0));
    expect(Math.abs(meanOf(both)) / (rmsOf(left) * rmsOf(right))).toBeLessThan(0.2);
  });
});

test('brown noise falls by 6 dB an octave', () => {
  const [left] = render('brown', 8);
  for (const hz of [100, 200, 400, 800]) {
    expect(powerAt(left, hz) - powerAt(left, 2 * hz)).toBeGreaterThan(3.5);
    expect(powerAt(left, hz) - powerAt(left, 2 * hz)).toBeLessThan(8.5);
  }
});

test('rain is bright, a stream is strongest in the middle', () => {
  const [rain] = render('rain', 8);
  expect(powerAt(rain, 3_000)).toBeGreaterThan(powerAt(rain, 300));
  const [stream] = render('stream', 8);
  for (const hz of [60, 6_000])
    expect(powerAt(stream, 500) - powerAt(stream, hz)).toBeGreaterThan(6);
});
