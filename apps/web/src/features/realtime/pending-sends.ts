import { REQUEST_TIMEOUT_MS } from '@mogakgong/contract';
import { type Receipt, SendError } from '../../shared/realtime/transport.ts';

interface PendingSend {
  readonly resolve: (headers: Receipt) => void;
  readonly reject: (error: SendError) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Sends that the server has not answered, by the receipt they asked for. */
export class PendingSends {
  readonly #sends = new Map<string, PendingSend>();

  /** Rejects with SendError; what is not answered within the request timeout is lost. */
  add(receipt: string): Promise<Receipt> {
    const { promise, resolve, reject } = Promise.withResolvers<Receipt>();
    const timer = setTimeout(() => this.fail(receipt, new SendError('lost')), REQUEST_TIMEOUT_MS);
    this.#sends.set(receipt, { resolve, reject, timer });
    return promise;
  }

  confirm(receipt: string, headers: Receipt): void {
    this.#take(receipt)?.resolve(headers);
  }

  fail(receipt: string, error: SendError): void {
    this.#take(receipt)?.reject(error);
  }

  /** The connection is gone: nobody knows which of them arrived. */
  loseAll(): void {
    for (const receipt of [...this.#sends.keys()]) this.fail(receipt, new SendError('lost'));
  }

  #take(receipt: string): PendingSend | undefined {
    const send = this.#sends.get(receipt);
    clearTimeout(send?.timer);
    this.#sends.delete(receipt);
    return send;
  }
}
