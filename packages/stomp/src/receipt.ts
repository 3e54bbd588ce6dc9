import type { HeaderEntries } from './frame.ts';

/** Accepts a SEND and adds to its receipt: `headers` go into its RECEIPT. */
export class Receipt {
  readonly headers: HeaderEntries;

  constructor(headers: HeaderEntries) {
    this.headers = headers;
  }
}
