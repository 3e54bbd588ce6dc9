import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  errors,
  type Language,
  SOCKETS_PER_USER,
  TOKEN_SUB_PROTOCOL,
  type UserId,
} from '@mogakgong/contract';
import { type Frame, rejectUpgrade } from '@mogakgong/stomp';
import {
  ApiError,
  type Authenticate,
  bearerOf,
  type HoldSlot,
  requestLanguage,
  type TokenHolder,
  type UnconnectedSocket,
} from '../../platform/http/index.ts';

/** Data of a client before its CONNECT. */
export interface Handshake {
  /** A token given with the upgrade (specification §7), or null. */
  readonly token: string | null;
  readonly language: Language;
  readonly socket: Duplex;
  readonly unconnected: UnconnectedSocket;
}

/** A connected learner: account, log-in, expiry and language. */
export interface Principal extends TokenHolder {
  readonly language: Language;
}

/** Checks the log-in of connections, at the upgrade and at CONNECT, and the number of them. */
export class Handshakes {
  readonly #authenticate: Authenticate;
  /** The open sockets of learners: each counts until it is closed, even after a DISCONNECT. */
  readonly #open = new Map<UserId, Set<Duplex>>();

  constructor(authenticate: Authenticate) {
    this.#authenticate = authenticate;
  }

  /**
   * Takes a WebSocket upgrade. An invalid token is refused here, except one in a sub-protocol: a browser does
   * not tell its page why an upgrade was refused, but the answer to CONNECT does.
   * @returns null for a socket that was refused or has ended.
   */
  async begin(
    { url, headers }: IncomingMessage,
    socket: Duplex,
    holdSlot: HoldSlot,
  ): Promise<Handshake | null> {
    const { searchParams } = new URL(url ?? '/', 'http://localhost');
    const given = searchParams.get('access_token') ?? bearerOf(headers.authorization);
    const token = given ?? subProtocolToken(headers['sec-websocket-protocol']);
    let userId: UserId | null = null;
    try {
      if (token !== null) ({ userId } = await this.#authenticate(token));
    } catch (error) {
      if (given !== null) {
        rejectUpgrade(socket, error instanceof ApiError ? errors[error.row].status : 500);
        return null;
      }
    }
    if (socket.destroyed) return null;
    return { token, language: requestLanguage(headers), socket, unconnected: holdSlot(userId) };
  }

  /**
   * The learner of a CONNECT.
   * @throws ApiError `unauthorized`, `tooManyConnections`, and those of the log-in.
   */
  async connect({ headers }: Frame, handshake: Handshake): Promise<Principal> {
    const token =
      bearerOf(headers.get('authorization') ?? headers.get('Authorization')) ?? handshake.token;
    if (token === null) throw new ApiError('unauthorized');
    const { userId, sessionId, expiresAtMs } = await this.#authenticate(token);
    this.#hold(userId, handshake.socket);
    handshake.unconnected.release();
    return { userId, sessionId, expiresAtMs, language: handshake.language };
  }

  /** Counts a socket until it closes. */
  #hold(userId: UserId, socket: Duplex): void {
    if (socket.destroyed) return;
    const own = this.#open.get(userId) ?? new Set();
    if (own.size >= SOCKETS_PER_USER) throw new ApiError('tooManyConnections');
    this.#open.set(userId, own.add(socket));
    socket.once('close', () => {
      own.delete(socket);
      if (own.size === 0) this.#open.delete(userId);
    });
  }
}

/** The access token among the sub-protocols that a browser offers, or null. */
function subProtocolToken(offered = ''): string | null {
  const names = offered.split(',').map((name) => name.trim());
  const named = names.find((name) => name.startsWith(TOKEN_SUB_PROTOCOL));
  return named?.slice(TOKEN_SUB_PROTOCOL.length) ?? null;
}
