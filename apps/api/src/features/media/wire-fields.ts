import { SignalRequest } from '@livekit/protocol';

type MessageType = Pick<typeof SignalRequest, 'fields'>;

/** Numbers in one field that cost as much as a field. */
const PACKED = 16;
const VARINT = 0;
const LENGTH_DELIMITED = 2;
const VARINT_MAX_BYTES = 10;
const UINT32_MAX = 0xffff_ffff;
/** Bytes of a value of fixed length, by its wire type. */
const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/**
 * The number of fields of a client's message in the wire format of protocol buffers, with those of the messages in
 * it: each costs microseconds to decode, also an empty one of two bytes.
 * @param max where counting ends. More fields, and a message that the decoder might read in another way than this,
 *   are given as a number above it.
 */
export function countFields(data: Uint8Array, max: number): number {
  let count = 0;

  /** Reads fields up to `end`; false if the bytes are no message. */
  function read(start: number, end: number, type: MessageType): boolean {
    let at = start;
    /** -1 for none, and for more than `largest`. */
    const varint = (largest: number): number => {
      let value = 0;
      for (let byte = 0; byte < VARINT_MAX_BYTES; byte += 1) {
        const next = data[at];
        if (next === undefined || at >= end) return -1;
        at += 1;
        value += (next & 0x7f) * 2 ** (7 * byte);
        if (next < 0x80) return value <= largest ? value : -1;
      }
      return -1;
    };
    while (at < end && count <= max) {
      const tag = varint(UINT32_MAX);
      const wireType = tag % 8;
      if (tag < 8) return false;
      count += 1;
      const field = type.fields.find(Math.floor(tag / 8));
      const isNested = field?.kind === 'message' || field?.kind === 'map';
      if (isNested && wireType !== LENGTH_DELIMITED) return false;
      if (wireType === VARINT) {
        if (varint(Number.POSITIVE_INFINITY) < 0) return false;
      } else if (wireType === LENGTH_DELIMITED) {
        const length = varint(UINT32_MAX);
        if (length < 0 || at + length > end) return false;
        if (field?.kind === 'message') {
          if (!read(at, at + length, field.T as MessageType)) return false;
        } else if (field?.packed) count += Math.floor(length / PACKED);
        at += length;
      } else {
        const bytes = FIXED_BYTES[wireType];
        if (bytes === undefined || at + bytes > end) return false;
        at += bytes;
      }
    }
    return true;
  }

  return read(0, data.length, SignalRequest) ? count : max + 1;
}
