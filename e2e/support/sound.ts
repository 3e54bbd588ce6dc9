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

/** Runs in the page: the RMS of what goes to the speakers now. */
export function loudness(): number {
  const { speakers } = globalThis as unknown as SoundWindow;
  const samples = new Float32Array(2_048);
  speakers?.getFloatTimeDomainData(samples);
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
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
