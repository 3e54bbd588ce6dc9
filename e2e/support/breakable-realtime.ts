import { destinations } from '@mogakgong/contract';
import type { Page, WebSocketRoute } from '@playwright/test';

/** The realtime connection of a page, while it fails. */
interface Link {
  readonly socket: WebSocketRoute;
  /** Ends both sides: Playwright's mock leaves the server's side open when it closes the page's. */
  readonly close: (code: number) => void;
}

/** How a connection fails; `receipt` is of the frame at which it does. */
export type Failure = (link: Link, receipt: string) => void;

interface Fault {
  /** How the next frame fails that is sent to this destination, or all of them as long as it lasts. */
  next: {
    readonly destination: string;
    readonly isTaken: boolean;
    readonly lasts: boolean;
    readonly fail: Failure;
  } | null;
  /** How the next tries to connect fail. */
  readonly refusals: Failure[];
}

export const closedWith =
  (code: number): Failure =>
  ({ close }) =>
    close(code);

/** What the server says in words with a row of the error table. */
export const wordsOf = (row: string) => `서버의 말: ${row}`;

const errorFrame = (row: string, headers: readonly string[]) =>
  ['ERROR', `error:${row}`, ...headers, '', `${wordsOf(row)}\0`].join('\n');

/** The server says that it failed at the frame, and keeps the connection. */
export const refusedFrame =
  (row: string): Failure =>
  ({ socket }, receipt) =>
    socket.send(errorFrame(row, [`receipt-id:${receipt}`]));

/** The server says why it ends the connection. */
export const endedWith =
  (row: string, code: number): Failure =>
  ({ socket, close }) => {
    socket.send(errorFrame(row, []));
    close(code);
  };

/** Whether messages of learners at other processes arrive late (contract: `Notice`). */
export type Delivery = 'whole' | 'degraded';

/** Puts a faulty line between the page and the server, for realtime connections that it opens from now on. */
export async function breakableRealtime(page: Page) {
  const fault: Fault = { next: null, refusals: [] };
  let deliver: ((state: Delivery) => void) | null = null;
  await page.routeWebSocket(/\/ws\/websocket/u, (socket) => {
    const refuse = fault.refusals.shift();
    if (refuse) return refuseConnection(socket, refuse);
    const server = socket.connectToServer();
    let isOver = false;
    const close = (code: number) => {
      isOver = true;
      void server.close();
      void socket.close({ code });
    };
    /** What happens when the server has taken the frame with this receipt. */
    let whenTaken: { readonly receipt: string; readonly fail: () => void } | null = null;
    socket.onMessage((frame) => {
      const text = String(frame);
      if (
        text.startsWith('SUBSCRIBE\n') &&
        text.includes(`destination:${destinations.notices}\n`)
      ) {
        const subscription = headerOf(text, 'id');
        deliver = (state) => sendDelivery(socket, subscription, state);
      }
      const { next } = fault;
      const isHit =
        next !== null &&
        text.startsWith('SEND\n') &&
        text.includes(`destination:${next.destination}`);
      if (!isHit) return server.send(frame);
      if (!next.lasts) fault.next = null;
      const receipt = headerOf(text, 'receipt');
      const fail = () => next.fail({ socket, close }, receipt);
      if (!next.isTaken) return fail();
      whenTaken = { receipt, fail };
      server.send(frame);
    });
    server.onMessage((frame) => {
      if (isOver) return;
      const isReceipt = whenTaken && String(frame).includes(`receipt-id:${whenTaken.receipt}\n`);
      if (!whenTaken || !isReceipt) return socket.send(frame);
      const { fail } = whenTaken;
      whenTaken = null;
      fail();
    });
  });
  return {
    fault,
    sayDelivery: (state: Delivery) => {
      if (deliver === null) throw new Error('the page does not listen to notices');
      deliver(state);
    },
  };
}

/** An upgrade that the server refuses, whatever its status: a page is not told, and takes it for 1006. */
export const refusedUpgrade: Failure = ({ close }) => close(1006);

function refuseConnection(socket: WebSocketRoute, refuse: Failure): void {
  const link = { socket, close: (code: number) => void socket.close({ code }) };
  if (refuse === refusedUpgrade) refuse(link, '');
  // At CONNECT.
  else socket.onMessage(() => refuse(link, ''));
}

function headerOf(frame: string, name: string): string {
  return new RegExp(`^${name}:(.*)$`, 'mu').exec(frame)?.[1] ?? '';
}

function sendDelivery(socket: WebSocketRoute, subscription: string, state: Delivery): void {
  const body = JSON.stringify({ kind: 'delivery', state });
  const headers = `subscription:${subscription}\nmessage-id:delivery-${state}\ndestination:${destinations.notices}`;
  socket.send(`MESSAGE\n${headers}\n\n${body}\0`);
}
