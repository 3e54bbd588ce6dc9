import { StompProtocolError } from './frame.ts';

/** The server's intervals and tolerance. All in milliseconds; 0 switches a direction off. */
export interface HeartBeatOptions {
  /** The shortest interval at which the server is willing to send. */
  readonly sendMs: number;
  /** The interval at which it asks the client to send. */
  readonly receiveMs: number;
  /**
   * Silence after which a client is closed, whatever interval was agreed. A client that agreed to send
   * nothing, or less often than twice in this time, is probed with WebSocket pings. 0: never.
   */
  readonly silenceMs: number;
}

export const DEFAULT_HEART_BEAT: HeartBeatOptions = {
  sendMs: 4_000,
  receiveMs: 4_000,
  silenceMs: 12_000,
};

/** The intervals of one session, in milliseconds; 0 means none. */
export interface HeartBeatPlan {
  readonly sendMs: number;
  readonly silenceMs: number;
  /** Sends a WebSocket ping after this much silence. */
  readonly pingMs: number;
}

/** Reads the client's `heart-beat:cx,cy` and negotiates (STOMP 1.2 "Heart-beating"). */
export function agreeHeartBeat(
  header: string | undefined,
  server: HeartBeatOptions,
): HeartBeatPlan {
  const match = /^(\d{1,9}),(\d{1,9})$/.exec(header ?? '0,0');
  if (!match) throw new StompProtocolError('bad heart-beat header');
  const clientSends = Number(match[1]);
  const clientWants = Number(match[2]);
  const incoming =
    clientSends === 0 || server.receiveMs === 0 ? 0 : Math.max(clientSends, server.receiveMs);
  const isPinged = incoming === 0 || incoming * 2 > server.silenceMs;
  return {
    sendMs: server.sendMs === 0 || clientWants === 0 ? 0 : Math.max(server.sendMs, clientWants),
    silenceMs: server.silenceMs,
    pingMs: isPinged ? server.silenceMs / 2 : 0,
  };
}
