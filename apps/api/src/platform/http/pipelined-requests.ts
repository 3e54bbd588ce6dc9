import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorName, IMAGE_MAX_BYTES } from '@mogakgong/contract';
import { endWithError } from './answer-errors.ts';

/**
 * A connection ends with one more request that waits for its answer: browsers ask again after the answer
 * (RFC 9112, 9.3.2, allows to ask before).
 */
const UNANSWERED_MAX = 16;
/** Larger than any form: a smaller body that is refused is read to its end, so that its client reads the answer. */
const BODY_MAX_BYTES = 2 * IMAGE_MAX_BYTES;

interface RequestLimits {
  /** A connection ends when its client has read nothing of an answer for this long. */
  readonly unreadMs: number;
  /** Called with each request. */
  onBusy(socket: Socket): void;
  /** Called when all requests of a connection are answered. */
  onIdle(socket: Socket): void;
}

/**
 * The row for a body that is too costly to read; undefined for others. Node makes a buffer of each chunk, 10,000 of
 * 64 KB with chunks of one byte; of a body with a length one of each read. Browsers and LiveKit send a length.
 */
function bodyFault({ headers }: IncomingMessage): ErrorName | undefined {
  if (headers['transfer-encoding'] !== undefined) return 'lengthRequired';
  return Number(headers['content-length']) > BODY_MAX_BYTES ? 'tooLarge' : undefined;
}

/** Ends a connection with what the system holds for its client. */
function destroyAtOnce(socket: Socket): void {
  // Alone it would wait until the client has read everything.
  socket.resetAndDestroy();
  socket.destroy();
}

/**
 * Bounds the requests of each connection: how many wait for answers, how long answers wait for readers, and bodies.
 * Hands one to the listeners that the server has by now once the earlier ones of its connection are answered,
 * so that it opens no file before its turn; never, if the connection has ended.
 */
export function limitRequests(server: Server, limits: RequestLimits): void {
  const { unreadMs, onBusy, onIdle } = limits;
  /** In the order of their requests. */
  const unanswered = new WeakMap<Socket, Set<ServerResponse>>();
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');

  // Node calls this at once for all requests of one chunk of data.
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (socket.destroyed) return;
    onBusy(socket);
    const waiting = unanswered.get(socket) ?? new Set();
    const before = [...waiting].at(-1);
    unanswered.set(socket, waiting.add(response));
    response.once('close', () => {
      waiting.delete(response);
      if (waiting.size === 0) onIdle(socket);
    });
    const fault = bodyFault(request);
    if (fault && !before) {
      endWithError(socket, fault, request.headers);
      return;
    }
    if (fault || waiting.size > UNANSWERED_MAX) destroyAtOnce(socket);
    const handle = () => {
      if (!socket.destroyed) for (const handler of handlers) handler(request, response);
    };
    if (before) before.once('close', handle);
    else handle();
  });

  // Node would answer an expectation that it does not know itself.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));

  // Node calls this when nothing was read or written for as long; upgraded sockets are exempt.
  server.setTimeout(unreadMs, (socket) => {
    // The answer is ours to give: its client has nothing to read yet.
    const isOurTurn = unanswered.get(socket)?.size && socket.writableLength === 0;
    if (isOurTurn) socket.setTimeout(unreadMs);
    else destroyAtOnce(socket);
  });
}
