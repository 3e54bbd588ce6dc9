import { setTimeout as delay } from 'node:timers/promises';

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

interface BatcherOptions {
  /**
   * Batches begin at least this far apart, unless a full one waits: the first after a pause runs at
   * once, and under load fewer and larger ones share their cost. 0 unless given.
   */
  readonly apartMs?: number;
}

/**
 * Turns many single calls into few calls for many. A batch runs at once when none is under way; what
 * is asked meanwhile becomes the next one, so batches grow exactly as large as the load demands.
 * @param run answers all inputs, in their order.
 */
export function createBatcher<Input, Output>(
  run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
  maxSize: number,
  { apartMs = 0 }: BatcherOptions = {},
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
      const nextAtMs = performance.now() + apartMs;
      await runBatch(waiting.splice(0, maxSize));
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
