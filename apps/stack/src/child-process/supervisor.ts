import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { sendSignal } from './process-identity.ts';

/** The part of the logger that a supervisor needs. */
export type SupervisorLogger = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** A process that is ready for use. */
export interface SupervisedProcess {
  /** Settles with the reason when the process has ended. Never rejects. */
  readonly exited: Promise<string>;
  /** Ends the process and waits until it has gone. */
  stop(): Promise<void>;
}

export interface SupervisorState {
  readonly status: 'starting' | 'running' | 'restarting' | 'stopped';
  /** Start of the present status. */
  readonly since: Date;
  /** Number of restarts. */
  readonly restarts: number;
  /** The latest reason for which it ended or could not start. */
  readonly lastError?: string;
}

export interface Supervisor {
  state(): SupervisorState;
  /** Stops the process and the supervision. Safe to call twice. */
  stop(): Promise<void>;
}

export interface SuperviseOptions {
  /** Name of the process in log lines. */
  readonly name: string;
  /** Starts the process and resolves when it is ready; stops its attempt when the signal aborts. */
  readonly launch: (signal: AbortSignal) => Promise<SupervisedProcess>;
  /** An already running process. */
  readonly running?: SupervisedProcess;
  readonly logger: SupervisorLogger;
}

export interface HangWatch {
  /** Names the process, or the part of it that is checked, in the log line. */
  readonly name: string;
  readonly pid: number;
  readonly works: () => boolean | Promise<boolean>;
  readonly everyMs: number;
  /** Number of failed checks in a row after which it counts as hanging. */
  readonly hangsAfter: number;
  readonly logger: SupervisorLogger;
  /** Aborted when the process has ended or is being stopped. */
  readonly signal: AbortSignal;
}

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 30_000;
/** A process that ran this long is healthy: the next delay starts small again. */
const HEALTHY_AFTER_MS = 10_000;

/** Keeps one process running: restarts it when it ends, with growing, jittered delays. */
export function supervise(options: SuperviseOptions): Supervisor {
  const { name, launch, logger } = options;
  const stopping = new AbortController();
  let current = options.running;
  let state: SupervisorState = {
    status: current === undefined ? 'starting' : 'running',
    since: new Date(),
    restarts: 0,
  };
  const enter = (change: Omit<SupervisorState, 'since' | 'restarts'> & { restarts?: number }) => {
    state = { restarts: state.restarts, ...change, since: new Date() };
  };

  const loop = (async () => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      let readyAt = performance.now();
      let reason: string;
      try {
        if (current === undefined) {
          current = await launch(stopping.signal);
          readyAt = performance.now();
          if (stopping.signal.aborted) {
            await current.stop();
            break;
          }
          enter({ status: 'running' });
          logger.info(`${name} is running`);
        }
        reason = await current.exited;
        failures = performance.now() - readyAt > HEALTHY_AFTER_MS ? 0 : failures;
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
      }
      current = undefined;
      if (stopping.signal.aborted) {
        break;
      }
      const waitMs = restartDelayMs(failures);
      failures += 1;
      enter({ status: 'restarting', restarts: state.restarts + 1, lastError: reason });
      logger.error({ reason, waitMs }, `${name} is not running; it will be started again`);
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();

  const stop = async () => {
    stopping.abort();
    await current?.stop();
    await loop;
    enter({ status: 'stopped' });
  };
  let stopped: Promise<void> | undefined;
  return {
    state: () => state,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/**
 * Ends a process that hangs, with SIGKILL. Counts checks and not time: while a machine is suspended, none
 * is made.
 */
export async function endWhenHanging(watch: HangWatch): Promise<void> {
  const { name, pid, works, everyMs, hangsAfter, logger, signal } = watch;
  let failures = 0;
  while (failures < hangsAfter) {
    // Rejects when the process has ended, and then there is nothing to check.
    await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    failures = (await works()) ? 0 : failures + 1;
    if (signal.aborted) return;
  }
  logger.error({ pid }, `${name} hangs; ending it`);
  sendSignal(pid, 'SIGKILL');
}

/** Doubles from 0.2 s to 30 s; half of it is random, so that several servers do not return in step. */
export function restartDelayMs(failures: number, random: () => number = Math.random): number {
  const whole = Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS);
  return Math.round(whole / 2 + (whole / 2) * random());
}
