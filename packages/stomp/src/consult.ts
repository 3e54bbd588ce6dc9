import { Refusal } from './refusal.ts';
import type { MaybePromise } from './stomp-types.ts';

/** Calls a hook. A thrown Refusal equals a returned one; other errors pass through. */
export function consult<T>(ask: () => MaybePromise<T | Refusal>): MaybePromise<T | Refusal> {
  try {
    const answer = ask();
    return answer instanceof Promise ? answer.catch(asRefusal) : answer;
  } catch (error) {
    return asRefusal(error);
  }
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

/** Continues at once with a synchronous value: frames with synchronous hooks never wait a tick. */
export function andThen<T, Next>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
