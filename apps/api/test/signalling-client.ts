import type { AddressInfo } from 'node:net';
import { SignalResponse } from '@livekit/protocol';
import { createMediaToken, type RoomId } from '@mogakgong/contract';
import { RoomServiceClient } from 'livekit-server-sdk';
import { afterEach, expect, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { TestMediaServer } from './media-server.ts';
import { type Learner, MEDIA_KEY, MEDIA_SECRET, type TestApp } from './test-app.ts';

export interface JoinOptions {
  /** Another address than our port's. */
  readonly at?: string;
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly autoPong?: boolean;
}

/** The media token that the API issues to a learner for a room. */
export async function mediaTokenOf(
  app: TestApp,
  { userId, headers }: Learner,
  roomId: RoomId,
): Promise<string> {
  const answer = await app.inject({
    method: createMediaToken.method,
    url: createMediaToken.path,
    payload: { roomName: String(roomId), identity: String(userId) },
    headers,
  });
  return answer.json<{ token: string }>().token;
}

/** Seats a learner; returns the media token of that visit. */
export async function sit(app: TestApp, learner: Learner, roomId?: RoomId) {
  const room = await app.seat(learner, roomId);
  return { room, token: await mediaTokenOf(app, learner, room) };
}

/** Address of the signalling of a listening app. */
export const signallingAddress = ({ http }: TestApp): string =>
  `ws://127.0.0.1:${(http.fastify.server.address() as AddressInfo).port}/livekit`;

/** Options that bypass our port and address the media server itself. */
export const directly = ({ url }: TestMediaServer) => ({ at: url.replace('http', 'ws') });

/** The participants of a room, according to the media server. */
export const participantsOf = (
  { url }: TestMediaServer,
  roomId: RoomId,
  key = MEDIA_KEY,
  secret = MEDIA_SECRET,
) => new RoomServiceClient(url, key, secret).listParticipants(String(roomId));

/**
 * Clients that speak the media server's signalling by hand, without media. Their connections are cut after
 * each test.
 * @param app which listens; its address is the default.
 */
export function openSignallingClients(app: TestApp) {
  const sockets: WebSocket[] = [];
  const terminateAll = () => {
    for (const socket of sockets.splice(0)) socket.terminate();
  };
  afterEach(terminateAll);
  return {
    /** Joins; `status` is 101, or the status of the refusal. */
    async join(token: string, options: JoinOptions = {}) {
      const {
        at = signallingAddress(app),
        path = '/rtc',
        query = '',
        headers = {},
        autoPong = true,
      } = options;
      const parameters = `access_token=${token}&auto_subscribe=1&protocol=16&sdk=js&version=2.0.0`;
      const socket = new WebSocket(`${at}${path}?${parameters}${query}`, { headers, autoPong });
      sockets.push(socket);
      const received: SignalResponse[] = [];
      socket.on('message', (data) => received.push(SignalResponse.fromBinary(data as Buffer)));
      const closed = new Promise<number>((resolve) => socket.on('close', resolve));
      const status = await new Promise<number>((resolve) => {
        socket.on('open', () => resolve(101));
        socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
        socket.on('error', () => resolve(0));
      });
      return { status, closed, socket, received };
    },

    terminateAll,
  };
}

/** A client that has tried to join. */
export type SignallingClient = Awaited<
  ReturnType<ReturnType<typeof openSignallingClients>['join']>
>;

/** The token with which the media server replaces a connection's token. */
export const renewedToken = ({ received }: SignallingClient): Promise<string> =>
  vi.waitFor(() => {
    const renewal = received.find(({ message }) => message.case === 'refreshToken');
    expect(renewal).toBeDefined();
    return String(renewal?.message.value);
  });
