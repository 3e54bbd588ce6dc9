import { setTimeout as delay } from 'node:timers/promises';
import { fewAtOnce } from '../../platform/batch/index.ts';
import type { Logger } from '../../platform/logger/index.ts';

/** Requests to one push service at the same time, in each process. */
const AT_ONCE = 50;
/** Requests begin this far apart, 250 a second: encrypting many at once would delay the chat of the process. */
const APART_MS = 4;
/** Messages that a process keeps while services are slow; further ones are dropped, so that memory stays bounded. */
export const WAITING_MAX = 20_000;
/** How long a message is kept here at most. */
const KEPT_MS = 10 * 60_000;
const PAUSE_WITHOUT_NUMBER_MS = 10_000;
const MANY_REQUESTS = 429;

/** A message on its way to a device. */
export interface Posting {
  readonly service: string;
  /** From here on nobody needs it. */
  readonly usefulMs: number;
  /** Sends it. @throws where the service does not answer. */
  readonly post: () => Promise<Response>;
  readonly onAnswer: (status: number) => Promise<void>;
}

/** Sends messages, a few at once to each service; a service that asks for a pause gets it (429). */
export function createPushQueue({ logger }: { readonly logger: Logger }) {
  const lanes = fewAtOnce<string>(AT_ONCE);
  const pausedUntilMs = new Map<string, number>();
  const closing = new AbortController();
  let waiting = 0;
  let nextAtMs = 0;

  const untilMs = (atMs: number) =>
    delay(Math.max(0, atMs - performance.now()), undefined, { signal: closing.signal, ref: false });

  /** A turn of the process, after those that were asked for before. */
  function turn(): Promise<void> {
    nextAtMs = Math.max(nextAtMs + APART_MS, performance.now());
    return untilMs(nextAtMs);
  }

  async function attempt(posting: Posting, uselessAtMs: number): Promise<void> {
    const { service, post, onAnswer } = posting;
    for (;;) {
      const resumesAtMs = pausedUntilMs.get(service) ?? 0;
      if (Math.max(performance.now(), resumesAtMs) > uselessAtMs) return;
      await untilMs(resumesAtMs);
      await turn();
      const response = await post();
      await response.body?.cancel();
      if (response.status !== MANY_REQUESTS) return onAnswer(response.status);
      pausedUntilMs.set(service, performance.now() + pauseOf(response));
    }
  }

  return {
    /** Resolves when the message has been sent, or dropped. */
    async send(posting: Posting): Promise<void> {
      if (waiting >= WAITING_MAX || closing.signal.aborted) return;
      waiting += 1;
      const uselessAtMs = performance.now() + Math.min(posting.usefulMs, KEPT_MS);
      try {
        await lanes(posting.service, () => attempt(posting, uselessAtMs));
      } catch (error) {
        logger.debug({ err: error, service: posting.service }, 'a notification was not sent');
      } finally {
        waiting -= 1;
      }
    },

    /** Drops what waits. */
    close: () => closing.abort(),
  };
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function pauseOf({ headers }: Response): number {
  const after = headers.get('retry-after') ?? '';
  const ms = /^\d+$/u.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.now();
  return ms > 0 ? ms : PAUSE_WITHOUT_NUMBER_MS;
}
