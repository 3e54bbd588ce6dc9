/** Two soft bell strokes, the second a fifth higher. */
const STROKES = [
  { hertz: 523.25, atSeconds: 0 },
  { hertz: 783.99, atSeconds: 0.22 },
] as const;
const ATTACK_SECONDS = 0.015;
const FADE_SECONDS = 1.4;
const LOUDNESS = 0.16;

let context: AudioContext | null = null;

/** Unlocks sound; browsers allow it only while handling a press. Does nothing where there is no audio. */
export async function unlockTone(): Promise<void> {
  if (typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  // The next press tries again.
  if (context.state === 'suspended') await context.resume().catch(() => undefined);
}

/** Plays the signal; silent until the learner has pressed something on this page. */
export function playTone(): void {
  if (context === null || context.state !== 'running') return;
  for (const { hertz, atSeconds } of STROKES) {
    strike(context, hertz, context.currentTime + atSeconds);
  }
}

function strike(audio: AudioContext, hertz: number, atSeconds: number): void {
  const source = new OscillatorNode(audio, { type: 'sine', frequency: hertz });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, atSeconds);
  volume.gain.linearRampToValueAtTime(LOUDNESS, atSeconds + ATTACK_SECONDS);
  volume.gain.exponentialRampToValueAtTime(0.0001, atSeconds + FADE_SECONDS);
  source.connect(volume).connect(audio.destination);
  source.start(atSeconds);
  source.stop(atSeconds + FADE_SECONDS);
}
