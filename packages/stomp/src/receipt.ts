import type { HeaderEntries } from './frame.ts';

/** Accepts a SEND and adds `headers` to its RECEIPT. */
export class Receipt {
  readonly headers: HeaderEntries;

  constructor(headers: HeaderEntries) {
    this.headers = headers;
  }
}
