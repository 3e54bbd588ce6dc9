import { setTimeout as delay } from 'node:timers/promises';
import type { UserId } from '@mogakgong/contract';
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
const MANY_REQUESTS = 429;
/**
 * Services say 429 of a device that got too much, which its learner can bring about, and of the site. It is of the site
 * if they say so of the devices of this many learners in a row.
 */
const LEARNERS_REFUSED = 10;
const PAUSE_WITHOUT_NUMBER_MS = 10_000;
/** A longer pause ends here: shorter than ends of phases are of use. */
const PAUSE_MAX_MS = 30_000;

/** A message on its way to a device. */
export interface Delivery {
  readonly userId: UserId;
  readonly service: string;
  /** The host of the service that has the device; undefined for a service with one host. */
  readonly host: string | undefined;
  /** How long it is of use. */
  readonly usefulMs: number;
  /** Sends it. @throws where the service does not answer. */
  readonly post: () => Promise<Response>;
  readonly onAnswer: (status: number) => Promise<void>;
}

/**
 * Sends messages, a few at once to each service, and fewer to each host of one. One to a device that has had too much
 * (429) is dropped; a service that says so of many learners in a row gets a pause.
 */
export function createPushQueue({ logger }: { readonly logger: Logger }) {
  const inQueueOf = fewAtOnce<string>(AT_ONCE);
  const inQueueOfHost = fewAtOnce<string>(AT_ONCE_TO_HOST);
  const pausedUntilMs = new Map<string, number>();
  /** The learners of a service whose devices were refused since it took a message. */
  const refusedOf = new Map<string, Set<UserId>>();
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
    const { userId, service, post, onAnswer } = delivery;
    for (;;) {
      const resumesAtMs = pausedUntilMs.get(service) ?? 0;
      if (Math.max(performance.now(), resumesAtMs) > uselessAtMs) return;
      await untilMs(resumesAtMs);
      await slot();
      const response = await post();
      await response.body?.cancel();
      if (response.status !== MANY_REQUESTS) {
        refusedOf.delete(service);
        return onAnswer(response.status);
      }
      const refused = refusedOf.get(service) ?? new Set();
      refusedOf.set(service, refused.add(userId));
      if (refused.size < LEARNERS_REFUSED) return;
      refusedOf.delete(service);
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

/** Seconds, or a date (RFC 9110, 10.2.3). */
function pauseOf({ headers }: Response): number {
  const after = headers.get('retry-after') ?? '';
  const ms = /^\d+$/u.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.now();
  return ms > 0 ? Math.min(ms, PAUSE_MAX_MS) : PAUSE_WITHOUT_NUMBER_MS;
}
