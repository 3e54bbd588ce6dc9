import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { storageKeys } from '../../shared/lib/storage-keys.ts';
import workletUrl from './ambient-worklet.ts?worker&url';
import type { AmbientSound } from './noise.ts';

interface Ambient {
  readonly sound: AmbientSound;
  /** Perceived loudness, 0 to 1. */
  readonly volume: number;
  /** The learner wants to hear it; after a reload it plays only after their next press. */
  readonly isWanted: boolean;
  readonly state: 'off' | 'playing' | 'failed';
}

/** The background sound, and the learner's settings for it in this browser. */
export const useAmbient = create(
  persist((): Ambient => ({ sound: 'rain', volume: 0.5, isWanted: false, state: 'off' }), {
    name: storageKeys.ambient,
    partialize: ({ sound, volume, isWanted }) => ({ sound, volume, isWanted }),
  }),
);
const { getState, setState } = useAmbient;

const FADE_IN_SECONDS = 1.5;
const FADE_OUT_SECONDS = 0.6;

/** The page's only audio output: it goes to the speakers and nowhere else. */
interface Output {
  readonly context: AudioContext;
  readonly volume: GainNode;
}
/** One playing sound, with its own fader. */
interface Voice {
  readonly node: AudioWorkletNode;
  readonly fader: GainNode;
}

let opening: Promise<Output> | null = null;
let voice: Voice | null = null;
let sleepTimer: ReturnType<typeof setTimeout> | undefined;

/** Plays the chosen sound and remembers that it is wanted. Call it from a press: browsers require one. */
export async function playAmbient(): Promise<void> {
  setState({ isWanted: true, state: 'playing' });
  try {
    opening ??= openOutput();
    const { context, volume } = await opening;
    clearTimeout(sleepTimer);
    await context.resume();
    if (getState().state !== 'playing' || voice !== null) return;
    setVolume(volume, getState().volume);
    voice = startVoice(context, volume, getState().sound);
  } catch {
    opening = null;
    setState({ state: 'failed', isWanted: false });
  }
}

/** Fades the sound out. `isWanted` stays true where the room ends and the learner did not stop the sound. */
export function stopAmbient(isWanted = false): void {
  setState({ isWanted, state: 'off' });
  endVoice();
  // Otherwise the machine keeps computing silence.
  clearTimeout(sleepTimer);
  sleepTimer = setTimeout(() => {
    // It plays silence then.
    void opening?.then(({ context }) => context.suspend()).catch(() => undefined);
  }, FADE_OUT_SECONDS * 2_000);
}

export function toggleAmbient(): void {
  if (getState().state === 'playing') stopAmbient();
  else void playAmbient();
}

/** Chooses a sound; a playing one is cross-faded. */
export function chooseAmbientSound(sound: AmbientSound): void {
  setState({ sound });
  if (voice === null) return;
  endVoice();
  void playAmbient();
}

/** @param volume 0 to 1 */
export function setAmbientVolume(volume: number): void {
  setState({ volume });
  // `playAmbient` reports that the sound is unavailable.
  void opening?.then((output) => setVolume(output.volume, volume)).catch(() => undefined);
}

async function openOutput(): Promise<Output> {
  const context = new AudioContext({ latencyHint: 'playback' });
  const volume = context.createGain();
  volume.connect(context.destination);
  await context.audioWorklet.addModule(workletUrl);
  return { context, volume };
}

/** The ear hears ten times the power as twice as loud. */
function setVolume(node: GainNode, volume: number): void {
  node.gain.setTargetAtTime(volume ** 1.7, node.context.currentTime, 0.05);
}

function startVoice(context: AudioContext, output: AudioNode, sound: AmbientSound): Voice {
  const node = new AudioWorkletNode(context, 'ambient', {
    numberOfInputs: 0,
    outputChannelCount: [2],
    processorOptions: { sound },
  });
  const fader = context.createGain();
  fader.gain.setValueAtTime(0, context.currentTime);
  fader.gain.linearRampToValueAtTime(1, context.currentTime + FADE_IN_SECONDS);
  node.connect(fader).connect(output);
  return { node, fader };
}

function endVoice(): void {
  if (voice === null) return;
  const { node, fader } = voice;
  voice = null;
  const { currentTime } = fader.context;
  fader.gain.cancelAndHoldAtTime?.(currentTime);
  fader.gain.setTargetAtTime(0, currentTime, FADE_OUT_SECONDS / 4);
  setTimeout(() => {
    node.port.postMessage('over');
    node.disconnect();
    fader.disconnect();
  }, FADE_OUT_SECONDS * 1_500);
}
