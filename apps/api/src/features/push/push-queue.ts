import { setTimeout as delay } from 'node:timers/promises';
import { fewAtOnce } from '../../platform/batch/index.ts';
import type { Logger } from '../../platform/logger/index.ts';

/** Requests to one push service at the same time, in each process. */
const AT_ONCE = 50;
/** Of these to one host of a service that has many: a silent host leaves places for the others. */
const AT_ONCE_TO_HOST = 10;
/** Requests begin this far apart, 250 a second: encrypting many at once would delay the chat of the process. */
const APART_MS = 4;
/** Messages that a process keeps while services are slow; further ones are dropped, so that memory stays bounded. */
export const WAITING_MAX = 20_000;
/** How long a message is kept here at most. */
const KEPT_MS = 10 * 60_000;
const PAUSE_WITHOUT_NUMBER_MS = 10_000;
const MANY_REQUESTS = 429;

/** A message on its way to a device. */
export interface Delivery {
  readonly service: string;
  /** The host of the service that has the device; undefined for a service with one host. */
  readonly host: string | undefined;
  /** How long it is of use. */
  readonly usefulMs: number;
  /** Sends it. @throws where the service does not answer. */
  readonly post: () => Promise<Response>;
  readonly onAnswer: (status: number) => Promise<void>;
}

/** Sends messages, a few at once to each service, and fewer to each host of one; a service that asks for a pause gets it (429). */
export function createPushQueue({ logger }: { readonly logger: Logger }) {
  const inQueueOf = fewAtOnce<string>(AT_ONCE);
  const inQueueOfHost = fewAtOnce<string>(AT_ONCE_TO_HOST);
  const pausedUntilMs = new Map<string, number>();
  const closing = new AbortController();
  let waiting = 0;
  let nextAtMs = 0;

  const untilMs = (atMs: number) =>
    delay(Math.max(0, atMs - performance.now()), undefined, { signal: closing.signal, ref: false });

  /** The next slot of the process, after those that were asked for before. */
  function slot(): Promise<void> {
    nextAtMs = Math.max(nextAtMs + APART_MS, performance.now());
    return untilMs(nextAtMs);
  }

  /** Requests of before a pause are answered alike. */
  function pause(service: string, response: Response): void {
    const nowMs = performance.now();
    const pauseMs = pauseOf(response);
    if (nowMs >= (pausedUntilMs.get(service) ?? 0)) {
      logger.warn({ service, pauseMs }, 'a push service asked for a pause');
    }
    pausedUntilMs.set(service, nowMs + pauseMs);
  }

  async function attempt(delivery: Delivery, uselessAtMs: number): Promise<void> {
    const { service, post, onAnswer } = delivery;
    for (;;) {
      const resumesAtMs = pausedUntilMs.get(service) ?? 0;
      if (Math.max(performance.now(), resumesAtMs) > uselessAtMs) return;
      await untilMs(resumesAtMs);
      await slot();
      const response = await post();
      await response.body?.cancel();
      if (response.status !== MANY_REQUESTS) return onAnswer(response.status);
      pause(service, response);
    }
  }

  return {
    /** Resolves when the message has been sent, or dropped. */
    async send(delivery: Delivery): Promise<void> {
      if (waiting >= WAITING_MAX || closing.signal.aborted) return;
      waiting += 1;
      const uselessAtMs = performance.now() + Math.min(delivery.usefulMs, KEPT_MS);
      const { service, host } = delivery;
      const inTurn = () => inQueueOf(service, () => attempt(delivery, uselessAtMs));
      try {
        await (host === undefined ? inTurn() : inQueueOfHost(host, inTurn));
      } catch (error) {
        logger.debug({ err: error, service }, 'a notification was not sent');
      } finally {
        waiting -= 1;
      }
    },

    /** Drops waiting messages. */
    close: () => closing.abort(),
  };
}

/** Seconds, or a date (RFC 9110, 10.2.3); of a longer pause, the part after which no waiting message is left. */
function pauseOf({ headers }: Response): number {
  const after = headers.get('retry-after') ?? '';
  const ms = /^\d+$/u.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.now();
  return ms > 0 ? Math.min(ms, KEPT_MS) : PAUSE_WITHOUT_NUMBER_MS;
}
