import * as ws from 'ws';

interface FrameOptions {
  readonly fin: boolean;
  readonly opcode: number;
  readonly mask: boolean;
  readonly readOnly: boolean;
  readonly rsv1: boolean;
}

// `Sender` is exported by ws but not typed; ws is pinned and a test holds its bytes.
const { Sender } = ws as unknown as {
  Sender: { frame(data: Buffer, options: FrameOptions): Buffer[] };
};

const TEXT = 1;
const BINARY = 2;

/** A whole unmasked WebSocket message around the payload, ready to be written to many sockets. */
export function toWebSocketMessage(payload: Buffer, isBinary = false): Buffer {
  const opcode = isBinary ? BINARY : TEXT;
  const options = { fin: true, opcode, mask: false, readOnly: true, rsv1: false };
  return Buffer.concat(Sender.frame(payload, options));
}

/** A heart-beat: one end of line (STOMP 1.2 "Heart-beating"). */
export const HEART_BEAT = toWebSocketMessage(Buffer.from('\n'));
