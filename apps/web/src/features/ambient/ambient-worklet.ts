import { type AmbientSound, ambientGenerator } from './noise.ts';

// Globals of a worklet; TypeScript has no library for them.
declare const sampleRate: number;
declare const AudioWorkletProcessor: new () => { readonly port: MessagePort };
declare function registerProcessor(
  name: string,
  processor: new (options: AmbientOptions) => object,
): void;

interface AmbientOptions {
  readonly processorOptions: { readonly sound: AmbientSound };
}

/** Plays one sound until it is posted anything. */
class AmbientProcessor extends AudioWorkletProcessor {
  readonly #generate;
  #isOver = false;

  constructor({ processorOptions: { sound } }: AmbientOptions) {
    super();
    this.#generate = ambientGenerator(sound, sampleRate, Math.random);
    this.port.onmessage = () => {
      this.#isOver = true;
    };
  }

  process(_inputs: unknown, [output]: readonly (readonly Float32Array[])[]): boolean {
    const [left, right] = output ?? [];
    if (left && right) this.#generate(left, right);
    return !this.#isOver;
  }
}

registerProcessor('ambient', AmbientProcessor);
