import { expect, type Page } from '@playwright/test';
import type { KeepingWindow } from './connections.ts';

/** What `watchSound` keeps in the page. */
interface SoundWindow {
  readonly asked: MediaStreamConstraints[];
  readonly speakers?: AnalyserNode;
}

/** Runs before the page's own scripts: keeps what asks for sound, or plays it. */
export function watchSound(): void {
  const asked: MediaStreamConstraints[] = [];
  Object.assign(globalThis, { asked });
  const { connect } = AudioNode.prototype;
  AudioNode.prototype.connect = function (this: AudioNode, ...to: unknown[]) {
    if (to[0] instanceof AudioDestinationNode) {
      const speakers = this.context.createAnalyser();
      Reflect.apply(connect, this, [speakers]);
      Object.assign(globalThis, { speakers });
    }
    return Reflect.apply(connect, this, to);
  } as typeof connect;
  const original = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = (constraints) => {
    asked.push(constraints ?? {});
    return original(constraints);
  };
}

/** Runs in the page: what cameras and microphones it asked for. */
export const askedConstraints = () => (globalThis as unknown as SoundWindow).asked;

/** The RMS from which a sound is heard, and below which it is silence: a fading one is neither. */
const LOUDNESS = { heard: 0.002, silent: 0.0001 } as const;

/** Runs in the page: what goes to the speakers now, and the state of the audio context if that is nothing. */
function nowPlaying({ heard, silent }: typeof LOUDNESS): string {
  const { speakers } = globalThis as unknown as SoundWindow;
  if (!speakers) return 'nothing was ever played';
  const samples = new Float32Array(2_048);
  speakers.getFloatTimeDomainData(samples);
  const square = samples.reduce((sum, sample) => sum + sample * sample, 0);
  const loudness = Math.sqrt(square / samples.length);
  if (loudness > heard) return 'heard';
  return loudness < silent ? `silent, ${speakers.context.state}` : 'fading';
}

/** Waits until a sound goes to the speakers, or none does any more. */
export async function expectSound(page: Page, expected: 'heard' | 'silent'): Promise<void> {
  await expect
    .poll(() => page.evaluate(nowPlaying, LOUDNESS))
    .toMatch(new RegExp(`^${expected}`, 'u'));
}

/** Runs in the page: tracks of sound in all connections that it keeps, and bytes that any of them carried. */
export async function soundInConnections(): Promise<{ tracks: number; bytes: number }> {
  const { connections } = globalThis as unknown as KeepingWindow;
  let [tracks, bytes] = [0, 0];
  for (const connection of connections) {
    tracks += connection.getSenders().filter(({ track }) => track?.kind === 'audio').length;
    for (const report of (await connection.getStats()).values()) {
      if (report.kind === 'audio') bytes += (report.bytesSent ?? 0) + (report.bytesReceived ?? 0);
    }
  }
  return { tracks, bytes };
}
