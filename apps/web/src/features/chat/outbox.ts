import { type RealtimeTransport, SendError } from '../../shared/realtime/transport.ts';
import type { OutgoingStore, StoredOutgoing } from './outgoing-store.ts';

/**
 * A message of this tab that the room's log does not show yet. `queued` waits for the connection,
 * `sent` is confirmed and about to appear, `failed` waits for the learner.
 */
export interface OutgoingMessage extends StoredOutgoing {
  readonly state: 'queued' | 'sending' | 'sent' | 'failed';
}

interface Entry extends OutgoingMessage {
  /** The log shows a message like it; the confirmation is still to come. */
  readonly isShown: boolean;
}

export interface OutboxOptions {
  readonly transport: RealtimeTransport;
  readonly store: OutgoingStore;
  /** Sends one message; rejects with SendError. */
  readonly send: (message: OutgoingMessage) => Promise<void>;
  readonly onChange: () => void;
  /** Said of a message that waited so long that others may sit in the room now. */
  readonly staleText: string;
  /** Said where the server gave no reason. */
  readonly failedText: string;
  readonly wait?: (ms: number) => Promise<void>;
}

/** A seat is given up after that (design §5): nothing older is sent without asking. */
const STALE_AFTER_MS = 10 * 60_000;
/** The server lets one message through a second (design §9). */
const TOO_FAST_WAIT_MS = 1_100;
const TOO_FAST_TRIES = 8;

const waitFor = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * What the learner wrote and the server has not confirmed: sent one after the other, kept while
 * there is no connection, and sent again under the same id when nobody knows whether it arrived.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  #entries: readonly Entry[];
  #isSending = false;
  #isClosed = false;
  readonly #stop: () => void;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#entries = options.store.load().map((stored) => ({
      ...stored,
      state: stored.problem === null ? 'queued' : 'failed',
      isShown: false,
    }));
    this.#stop = options.transport.onState(() => void this.#sendAll());
  }

  /** Begins to send what an earlier page left; call once. */
  start(): void {
    void this.#sendAll();
  }

  /** What is to be shown behind the log, oldest first. */
  get waiting(): readonly OutgoingMessage[] {
    return this.#entries.filter((entry) => !entry.isShown);
  }

  add(content: string): void {
    const entry: Entry = {
      clientId: newClientId(),
      content,
      writtenAtMs: Date.now(),
      wasTried: false,
      problem: null,
      state: 'queued',
      isShown: false,
    };
    this.#set([...this.#entries, entry]);
    void this.#sendAll();
  }

  /** Sends a failed message again, as one written now. */
  retry(clientId: string): void {
    this.#change(clientId, { state: 'queued', problem: null, writtenAtMs: Date.now() });
    void this.#sendAll();
  }

  discard(clientId: string): void {
    this.#set(this.#entries.filter((entry) => entry.clientId !== clientId));
  }

  /** The log shows an own message: the first one like it that was on its way needs not be shown. */
  noteShown(content: string): void {
    const entry = this.#entries.find(
      (candidate) => candidate.wasTried && !candidate.isShown && candidate.content === content,
    );
    if (entry === undefined) return;
    if (entry.state === 'sent') this.discard(entry.clientId);
    else this.#change(entry.clientId, { isShown: true });
  }

  /** The log is complete now: what was confirmed before is in it. */
  forgetSent(): void {
    this.#set(this.#entries.filter((entry) => entry.state !== 'sent'));
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  async #sendAll(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      let tries = 0;
      for (;;) {
        const next = this.#entries.find((entry) => entry.state === 'queued');
        const canSend = !this.#isClosed && this.#options.transport.getState() === 'connected';
        if (next === undefined || !canSend) return;
        const outcome = await this.#sendOne(next, tries);
        tries = outcome === 'tooFast' ? tries + 1 : 0;
      }
    } finally {
      this.#isSending = false;
    }
  }

  async #sendOne(entry: Entry, tries: number): Promise<'done' | 'tooFast'> {
    const { clientId } = entry;
    if (Date.now() - entry.writtenAtMs > STALE_AFTER_MS) {
      this.#change(clientId, { state: 'failed', problem: this.#options.staleText });
      return 'done';
    }
    this.#change(clientId, { state: 'sending', wasTried: true });
    try {
      await this.#options.send(entry);
      this.#confirm(clientId);
    } catch (error) {
      if (this.#isClosed) return 'done';
      if (!(error instanceof SendError)) throw error;
      if (error.reason === 'lost') {
        this.#change(clientId, { state: 'queued' });
      } else if (error.errorName === 'chatTooFast' && tries < TOO_FAST_TRIES) {
        await (this.#options.wait ?? waitFor)(TOO_FAST_WAIT_MS);
        this.#change(clientId, { state: 'queued' });
        return 'tooFast';
      } else {
        const problem = error.message === '' ? this.#options.failedText : error.message;
        this.#change(clientId, { state: 'failed', problem, isShown: false });
      }
    }
    return 'done';
  }

  #confirm(clientId: string): void {
    const entry = this.#entries.find((candidate) => candidate.clientId === clientId);
    if (entry?.isShown) this.discard(clientId);
    else this.#change(clientId, { state: 'sent' });
  }

  #change(clientId: string, change: Partial<Entry>): void {
    this.#set(
      this.#entries.map((entry) => (entry.clientId === clientId ? { ...entry, ...change } : entry)),
    );
  }

  #set(entries: readonly Entry[]): void {
    // The page goes away: what was under way stays stored for the next one.
    if (this.#isClosed) return;
    this.#entries = entries;
    this.#options.store.save(
      entries
        .filter((entry) => entry.state !== 'sent')
        .map(({ clientId, content, writtenAtMs, wasTried, problem }) => ({
          clientId,
          content,
          writtenAtMs,
          wasTried,
          problem,
        })),
    );
    this.#options.onChange();
  }
}

/** `randomUUID` exists on secure pages only; a school's http address is none. */
function newClientId(): string {
  if (crypto.randomUUID !== undefined) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
