import { setTimeout as delay } from 'node:timers/promises';

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Minimum time between the starts of two batches, unless a full one waits; computed after a batch from its
 * number of inputs. The first after a pause runs at once; under load fewer and larger ones share their cost.
 */
export type BatchesApart = (inputs: number) => number;

/**
 * For queries that every arriving learner needs. Up to forty a second are answered at once; when thousands
 * return after a restart, the interval grows to 1.5 s and a query serves hundreds.
 */
export const arrivalBatches: BatchesApart = (inputs) => Math.min(1_500, 25 * inputs);

/**
 * Combines many single calls into few calls. A batch runs at once if none is running; calls made meanwhile
 * form the next one, so batches grow with the load.
 * @param run answers all inputs, in their order.
 */
export function createBatcher<Input, Output>(
  run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
  maxSize: number,
  apartMs: BatchesApart = () => 0,
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
    // One turn of the event loop collects all calls made in it.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxSize);
      const startMs = performance.now();
      await runBatch(batch);
      // Continuations of the answers run first.
      await new Promise(setImmediate);
      const restMs = Math.ceil(startMs + apartMs(batch.length) - performance.now());
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

/** Runs work of one key, at most `max` at once; further work waits for its turn. */
export function fewAtOnce<Key>(max: number) {
  const lines = new Map<Key, { running: number; readonly waiting: (() => void)[] }>();
  return async <Output>(key: Key, work: () => Promise<Output>): Promise<Output> => {
    const line = lines.get(key) ?? { running: 0, waiting: [] };
    lines.set(key, line);
    if (line.running === max) await new Promise<void>((begin) => line.waiting.push(begin));
    else line.running += 1;
    try {
      return await work();
    } finally {
      const beginNext = line.waiting.shift();
      if (beginNext) beginNext();
      else line.running -= 1;
      if (line.running === 0) lines.delete(key);
    }
  };
}

/** Shares one answer among all callers within `ageMs`; a failure is not kept. */
export function cachedFor<Value>(ageMs: number, load: () => Promise<Value>): () => Promise<Value> {
  let loaded: { readonly value: Promise<Value>; readonly atMs: number } | undefined;
  return () => {
    const nowMs = performance.now();
    if (loaded && nowMs - loaded.atMs < ageMs) return loaded.value;
    const loading = { value: load(), atMs: nowMs };
    loaded = loading;
    loading.value.catch(() => {
      if (loaded === loading) loaded = undefined;
    });
    return loading.value;
  };
}
