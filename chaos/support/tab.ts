import { setTimeout as delay } from 'node:timers/promises';
import type { FocusClock, getToday, Notice, RouteReply } from '@mogakgong/contract';
import type { SeatedLearner } from '../../bench/support/product.ts';
import type { Random } from '../../bench/support/random.ts';
import { callApi } from './learner-calls.ts';
import { StompConnection } from './stomp-connection.ts';

interface TabOptions {
  readonly learner: SeatedLearner;
  readonly port: number;
  readonly random: Random;
}

type Shown = Pick<RouteReply<typeof getToday>, 'runningSinceMs' | 'serverNowMs'>;

const RECONNECT_MS = { from: 100, to: 600 };

/** A tab that shows today's time: read once after each connect, and kept by notices, as in the browser. */
export class Tab {
  readonly #options: TabOptions;
  #shown: Shown | null = null;
  #connection: StompConnection | undefined;
  #isStopped = false;

  constructor(options: TabOptions) {
    this.#options = options;
    this.#connect();
  }

  get isOpen(): boolean {
    return this.#shown !== null;
  }

  shows({ status, sinceMs }: FocusClock): boolean {
    return this.#shown?.runningSinceMs === (status === 'focus' ? sinceMs : null);
  }

  stop(): void {
    this.#isStopped = true;
    this.#connection?.cut();
  }

  #connect(): void {
    const { port, learner, random } = this.#options;
    const connection = new StompConnection({
      port,
      token: learner.token,
      onFrame: ({ command, headers, body }) => {
        if (command === 'CONNECTED') {
          const destination = '/user/queue/notices';
          connection.send('SUBSCRIBE', { id: 'sub-0', destination, receipt: 'sub-0' });
        } else if (headers.get('receipt-id') === 'sub-0') {
          if (command === 'RECEIPT') void this.#read(connection);
          else connection.cut();
        } else if (command === 'MESSAGE') {
          const notice = JSON.parse(body) as Notice;
          if (notice.kind === 'today') this.#show(notice);
          // Notices may have been missed, as the browser knows, which waits up to 5 s by chance.
          if (notice.kind === 'delivery' && notice.state === 'whole') void this.#read(connection);
        }
      },
      onClose: async () => {
        await delay(random.between(RECONNECT_MS.from, RECONNECT_MS.to));
        if (!this.#isStopped) this.#connect();
      },
    });
    this.#connection = connection;
  }

  /** An answer may be older than a notice that overtook it. */
  #show(today: Shown): void {
    if (today.serverNowMs >= (this.#shown?.serverNowMs ?? 0)) this.#shown = today;
  }

  async #read(connection: StompConnection): Promise<void> {
    const { port, learner } = this.#options;
    const caller = { baseUrl: `http://127.0.0.1:${port}`, token: learner.token };
    try {
      this.#show(await callApi<Shown>(caller, 'GET', '/api/user/stat/today-study-time'));
    } catch {
      connection.cut();
    }
  }
}
