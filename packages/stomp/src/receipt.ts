import type { HeaderEntries } from './frame.ts';

/** The application's "yes" to a SEND with something to add: `headers` go into its RECEIPT. */
export class Receipt {
  readonly headers: HeaderEntries;

  constructor(headers: HeaderEntries) {
    this.headers = headers;
  }
}
