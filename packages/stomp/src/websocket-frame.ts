const TEXT = 0x81;
const BINARY = 0x82;

/** A whole unmasked WebSocket message around the payload (RFC 6455 5.2), to be written to any number of sockets. */
export function toWebSocketMessage(payload: Buffer, isBinary = false): Buffer {
  return Buffer.concat([headOf(payload.length, isBinary ? BINARY : TEXT), payload]);
}

/** FIN, opcode, and the length in 7, 16 or 64 bits. */
function headOf(length: number, first: number): Buffer {
  if (length < 126) return Buffer.from([first, length]);
  if (length < 65_536) return Buffer.from([first, 126, length >> 8, length & 0xff]);
  const head = Buffer.from([first, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** A heart-beat: one end of line (STOMP 1.2 "Heart-beating"). */
export const HEART_BEAT = toWebSocketMessage(Buffer.from('\n'));
