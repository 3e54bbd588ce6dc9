import {
  type SupervisedProcess,
  type Supervisor,
  type SupervisorLogger,
  supervise,
} from './child-process/index.ts';

export interface ApiProcessesOptions {
  readonly count: number;
  /** Runs the API of this index, from 0, and resolves when it serves. */
  readonly launch: (signal: AbortSignal, index: number) => Promise<SupervisedProcess>;
  /** Whether a new process can listen before the old one has stopped; a watched one cannot. */
  readonly sharesPort: boolean;
  readonly logger: SupervisorLogger;
}

export interface ApiProcesses {
  /** Replaces the processes one by one: the new one serves before the old one stops. */
  restart(): Promise<void>;
  /** Stops all of them, after answering pending requests. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Keeps the API processes of this machine running. Resolves when the first one serves, so that only one
 * process migrates the database and reports errors; the others follow.
 */
export async function startApiProcesses(options: ApiProcessesOptions): Promise<ApiProcesses> {
  const { count, launch, sharesPort, logger } = options;
  const stopping = new AbortController();
  const keep = (index: number, running?: SupervisedProcess): Supervisor => {
    const name = count === 1 ? 'The API' : `API process ${index + 1} of ${count}`;
    const launchAgain = (signal: AbortSignal) => launch(signal, index);
    return supervise({ name, launch: launchAgain, logger, ...(running && { running }) });
  };
  const processes = [keep(0, await launch(stopping.signal, 0))];
  for (let index = 1; index < count; index += 1) processes.push(keep(index));

  async function replace(index: number, old: Supervisor): Promise<void> {
    if (!sharesPort) await old.stop();
    const running = await launch(stopping.signal, index);
    processes[index] = keep(index, running);
    await old.stop();
  }

  async function replaceAll(): Promise<void> {
    for (const [index, old] of processes.entries()) {
      if (stopping.signal.aborted) return;
      try {
        await replace(index, old);
      } catch (error) {
        logger.error({ err: error }, 'A new API process does not start; the old ones go on');
        if (!sharesPort) processes[index] = keep(index);
        return;
      }
    }
    logger.info('The API was restarted');
  }

  let restarting: Promise<void> | undefined;
  return {
    restart() {
      restarting ??= replaceAll().finally(() => {
        restarting = undefined;
      });
      return restarting;
    },
    async stop() {
      stopping.abort();
      await restarting;
      await Promise.all(processes.map((process) => process.stop()));
    },
  };
}
