import { setTimeout as delay } from 'node:timers/promises';

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

interface BatcherOptions {
  /**
   * Batches begin at most this far apart, unless a full one waits: the first after a pause runs at
   * once, and under load fewer and larger ones share their cost. 0 unless given.
   */
  readonly apartMs?: number;
  /** The distance behind a batch for each of its inputs, up to `apartMs`, which is kept unless given. */
  readonly apartMsPerInput?: number;
}

/**
 * For what everybody who arrives needs. Up to forty a second are answered at once; when thousands
 * come back after a restart, the distances grow to a second and a query serves hundreds.
 */
export const arrivalBatches: BatcherOptions = { apartMs: 1_000, apartMsPerInput: 25 };

/**
 * Turns many single calls into few calls for many. A batch runs at once when none is under way; what
 * is asked meanwhile becomes the next one, so batches grow exactly as large as the load demands.
 * @param run answers all inputs, in their order.
 */
export function createBatcher<Input, Output>(
  run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
  maxSize: number,
  { apartMs = 0, apartMsPerInput = apartMs }: BatcherOptions = {},
): (input: Input) => Promise<Output> {
  const waiting: Waiting<Input, Output>[] = [];
  let isRunning = false;

  async function runBatch(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    try {
      const outputs = await run(batch.map(({ input }) => input));
      for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as Output);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function drain(): Promise<void> {
    isRunning = true;
    // One turn of the event loop collects everything that arrived in it.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxSize);
      const nextAtMs = performance.now() + Math.min(apartMs, batch.length * apartMsPerInput);
      await runBatch(batch);
      const restMs = Math.ceil(nextAtMs - performance.now());
      if (restMs > 0 && waiting.length < maxSize) await delay(restMs);
    }
    isRunning = false;
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (!isRunning) void drain();
    });
}
