/** The sounds that the browser can make. */
export const ambientSounds = ['rain', 'stream', 'brown'] as const;
export type AmbientSound = (typeof ambientSounds)[number];

/** Writes the next samples of both channels, as many as they hold. */
export type Generator = (left: Float32Array, right: Float32Array) => void;

/** Uniform between 0 (included) and 1, like `Math.random`. */
export type Random = () => number;

/**
 * Makes a sound that never repeats, sample by sample: nothing is stored, so there is no audible loop. All
 * sounds are about equally loud, −22 LUFS.
 * @param sampleRate in Hz.
 */
export function ambientGenerator(
  sound: AmbientSound,
  sampleRate: number,
  random: Random,
): Generator {
  return generators[sound](sampleRate, random);
}

const generators: Readonly<
  Record<AmbientSound, (sampleRate: number, random: Random) => Generator>
> = { rain, stream, brown };

/** Deep noise, falling by 6 dB an octave. */
function brown(sampleRate: number, random: Random): Generator {
  return twoChannels(() => {
    const next = brownNoise(sampleRate, random);
    return (samples) => {
      for (let i = 0; i < samples.length; i += 1) samples[i] = 0.12 * next();
    };
  });
}

/** The even hiss of rain, a little fuller and thinner over seconds, and single drops close by. */
function rain(sampleRate: number, random: Random): Generator {
  const drops = new Pings(sampleRate, random, {
    perSecond: 45,
    fromHz: 1_400,
    toHz: 6_000,
    decayMs: [2, 14],
    rise: 1,
  });
  const hiss = twoChannels(() => {
    const body = brownNoise(sampleRate, random);
    const tooLow = lowPass(sampleRate, 500);
    const tooHigh = lowPass(sampleRate, 6_500);
    const gust = drift(sampleRate, random, 0.25);
    return (samples) => {
      const gain = 0.1 + 0.03 * gust(samples.length);
      for (let i = 0; i < samples.length; i += 1) {
        const white = whiteNoise(random);
        samples[i] = gain * tooHigh(white - tooLow(white)) + 0.016 * body();
      }
    };
  });
  return withPings(hiss, drops, 0.15);
}

/** Water over stones: two bands of noise that wander, and bubbles of rising pitch. */
function stream(sampleRate: number, random: Random): Generator {
  const bubbles = new Pings(sampleRate, random, {
    perSecond: 16,
    fromHz: 350,
    toHz: 1_300,
    decayMs: [15, 60],
    rise: 1.35,
  });
  const water = twoChannels(() => {
    const low = bandPass(sampleRate, 420, 1.2);
    const high = bandPass(sampleRate, 1_150, 1.5);
    const air = lowPass(sampleRate, 3_500);
    const [lowDrift, highDrift] = [drift(sampleRate, random, 0.9), drift(sampleRate, random, 1.6)];
    return (samples) => {
      const lowGain = 0.21 + 0.1 * lowDrift(samples.length);
      const highGain = 0.13 + 0.08 * highDrift(samples.length);
      for (let i = 0; i < samples.length; i += 1) {
        const white = whiteNoise(random);
        samples[i] = lowGain * low(white) + highGain * high(white) + 0.04 * air(white);
      }
    };
  });
  return withPings(water, bubbles, 0.1);
}

const whiteNoise = (random: Random): number => 2 * random() - 1;

/** The same kind of noise in both ears, generated independently: it sounds spacious. */
function twoChannels(channel: () => (samples: Float32Array) => void): Generator {
  const [fillLeft, fillRight] = [channel(), channel()];
  return (left, right) => {
    fillLeft(left);
    fillRight(right);
  };
}

/** Integrated white noise with a leak that keeps it around 0; RMS about 1. */
function brownNoise(sampleRate: number, random: Random): () => number {
  // Flat below 20 Hz, which is inaudible and wastes the speakers' power.
  const leak = Math.exp((-2 * Math.PI * 20) / sampleRate);
  // The RMS of white noise is 1/√3, that of the sum 1/√(1 − leak²) times as much.
  const gain = Math.sqrt(3 * (1 - leak * leak));
  let sum = 0;
  return () => {
    sum = sum * leak + whiteNoise(random) * gain;
    return sum;
  };
}

/** A first-order low-pass filter. */
function lowPass(sampleRate: number, cutoffHz: number): (input: number) => number {
  const share = 1 - Math.exp((-2 * Math.PI * cutoffHz) / sampleRate);
  let output = 0;
  return (input) => {
    output += share * (input - output);
    return output;
  };
}

/** A state-variable band-pass filter (Simper 2013), stable at every frequency. */
function bandPass(sampleRate: number, centreHz: number, q: number): (input: number) => number {
  const g = Math.tan((Math.PI * centreHz) / sampleRate);
  const k = 1 / q;
  const a1 = 1 / (1 + g * (g + k));
  let [band, low] = [0, 0];
  return (input) => {
    const v1 = a1 * (band + g * (input - low));
    const v2 = low + g * v1;
    band = 2 * v1 - band;
    low = 2 * v2 - low;
    return v1;
  };
}

/**
 * Moves slowly from one random value between −1 and 1 to the next, on average `perSecond` of them. Asked once
 * for the next `count` samples, in which it changes too little to be heard.
 */
function drift(sampleRate: number, random: Random, perSecond: number): (count: number) => number {
  let goal = whiteNoise(random);
  let value = 0;
  return (count) => {
    const share = Math.min(1, (perSecond * count) / sampleRate);
    if (random() < share) goal = whiteNoise(random);
    value += Math.min(1, 3 * share) * (goal - value);
    return value;
  };
}

interface PingOptions {
  readonly perSecond: number;
  readonly fromHz: number;
  readonly toHz: number;
  /** The shortest and longest time to fall to 37 %. */
  readonly decayMs: readonly [number, number];
  /** Factor of the pitch while it decays. */
  readonly rise: number;
}

/** A tone that fades away: a drop or a bubble. */
interface Ping {
  phase: number;
  /** Radians a sample. */
  step: number;
  readonly stepGrowth: number;
  level: number;
  readonly decay: number;
  /** 0 left, 1 right. */
  readonly side: number;
}

/** Below this amplitude a ping is inaudible. */
const SILENT = 0.001;

/** Short tones at random moments. */
class Pings {
  readonly #random: Random;
  readonly #sampleRate: number;
  readonly #options: PingOptions;
  #ringing: Ping[] = [];

  constructor(sampleRate: number, random: Random, options: PingOptions) {
    this.#sampleRate = sampleRate;
    this.#random = random;
    this.#options = options;
  }

  /** Adds them to the next samples. */
  add(left: Float32Array, right: Float32Array, gain: number): void {
    const chance = (this.#options.perSecond * left.length) / this.#sampleRate;
    if (this.#random() < chance) this.#ringing.push(this.#next());
    for (const ping of this.#ringing) ring(ping, left, right, gain);
    this.#ringing = this.#ringing.filter(({ level }) => level > SILENT);
  }

  #next(): Ping {
    const { fromHz, toHz, decayMs, rise } = this.#options;
    const hz = fromHz * (toHz / fromHz) ** this.#random();
    const decaySamples =
      ((decayMs[0] + (decayMs[1] - decayMs[0]) * this.#random()) * this.#sampleRate) / 1_000;
    return {
      phase: 0,
      step: (2 * Math.PI * hz) / this.#sampleRate,
      stepGrowth: rise ** (1 / decaySamples),
      // Most are far away.
      level: this.#random() ** 3,
      decay: Math.exp(-1 / decaySamples),
      side: this.#random(),
    };
  }
}

function ring(ping: Ping, left: Float32Array, right: Float32Array, gain: number): void {
  for (let i = 0; i < left.length; i += 1) {
    const sample = gain * ping.level * Math.sin(ping.phase);
    left[i] = (left[i] ?? 0) + sample * (1 - ping.side);
    right[i] = (right[i] ?? 0) + sample * ping.side;
    ping.phase += ping.step;
    ping.step *= ping.stepGrowth;
    ping.level *= ping.decay;
  }
}

function withPings(background: Generator, pings: Pings, gain: number): Generator {
  return (left, right) => {
    background(left, right);
    pings.add(left, right, gain);
  };
}
