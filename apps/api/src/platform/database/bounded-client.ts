import type pg from 'pg';

/** The database, or the network to it, has not answered in time; the statement may have been carried out. */
export class DatabaseTimeoutError extends Error {
  override readonly name = 'DatabaseTimeoutError';
  readonly code = 'ETIMEDOUT';

  constructor(options?: ErrorOptions) {
    super('the database has not answered in time', options);
  }
}

/** Destroys a connection without waiting: pending statements fail. */
export function destroyConnection(client: pg.Client): void {
  client.connection.stream.destroy(new DatabaseTimeoutError());
}

/**
 * Calls `act` unless it is cancelled within `ms`. After a long turn of the event loop, data that arrived
 * meanwhile is read first.
 * @returns cancels it.
 */
export function unlessWithin(ms: number, act: () => void): () => void {
  let isCancelled = false;
  const timer = setTimeout(() => {
    setImmediate(() => {
      if (!isCancelled) act();
    });
  }, ms);
  return () => {
    isCancelled = true;
    clearTimeout(timer);
  };
}

/**
 * A connection that is destroyed when an answer misses its bound. `query_timeout` of pg would leave it in
 * use, with the late answer still to come; and PostgreSQL's own timeouts end nothing when it has vanished.
 */
export class BoundedClient {
  readonly #client: pg.Client;
  #boundMs: number;
  readonly #rejections = new Set<(error: Error) => void>();
  #waiting = 0;
  #cancel = () => {};
  #isDestroyed = false;

  constructor(client: pg.Client, boundMs: number) {
    this.#client = client;
    this.#boundMs = boundMs;
  }

  /** @throws DatabaseTimeoutError when the answer misses the bound, and for every later statement. */
  async query(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#isDestroyed) throw new DatabaseTimeoutError();
    this.#waiting += 1;
    if (this.#waiting === 1) this.#arm();
    try {
      return await new Promise((resolve, reject) => {
        this.#rejections.add(reject);
        this.#client
          .query(statement)
          .then(resolve, reject)
          .finally(() => this.#rejections.delete(reject));
      });
    } finally {
      this.#waiting -= 1;
      this.#arm();
    }
  }

  /** The time limit of answers from now on, in ms, including a pending statement; 0: none. */
  setBound(boundMs: number): void {
    this.#boundMs = boundMs;
    this.#arm();
  }

  destroy(): void {
    this.#isDestroyed = true;
    destroyConnection(this.#client);
    // Some work of pg does not fail with its connection.
    for (const reject of this.#rejections) reject(new DatabaseTimeoutError());
  }

  #arm(): void {
    this.#cancel();
    if (this.#waiting === 0 || this.#boundMs === 0) return;
    this.#cancel = unlessWithin(this.#boundMs, () => this.destroy());
  }
}
