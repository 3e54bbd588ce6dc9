/** The length of a message before it, on TCP (RFC 4571). */
const LENGTH_BYTES = 2;
const HEADER_BYTES = 20;
const BINDING_REQUEST = 0x0001;
const MAGIC_COOKIE = 0x2112a442;
/** LiveKit reads the first message into a buffer of this size. */
const FIRST_MESSAGE_MAX_BYTES = 512;

/** Whether the bytes begin with a STUN binding request (RFC 8489) as TCP carries it; null while some are missing. */
export function beginsWithBindingRequest(bytes: Buffer): boolean | null {
  if (bytes.length < LENGTH_BYTES + HEADER_BYTES) return null;
  const length = bytes.readUInt16BE(0);
  const isRequest =
    length <= FIRST_MESSAGE_MAX_BYTES &&
    bytes.readUInt16BE(LENGTH_BYTES) === BINDING_REQUEST &&
    bytes.readUInt16BE(LENGTH_BYTES + 2) === length - HEADER_BYTES &&
    bytes.readUInt32BE(LENGTH_BYTES + 4) === MAGIC_COOKIE;
  if (!isRequest) return false;
  return bytes.length >= LENGTH_BYTES + length ? true : null;
}

const USERNAME = 0x0006;
/** Type and length of an attribute; attributes begin at multiples of this. */
const ATTRIBUTE_HEADER_BYTES = 4;

/**
 * The receiver's half of the USERNAME (RFC 8445, 7.2.2) in a binding request as TCP carries it: LiveKit gives another one
 * to each way of each participant. Empty without any.
 */
export function receiverOf(request: Buffer): string {
  const end = LENGTH_BYTES + request.readUInt16BE(0);
  let at = LENGTH_BYTES + HEADER_BYTES;
  while (at + ATTRIBUTE_HEADER_BYTES <= end) {
    const length = request.readUInt16BE(at + 2);
    const value = request.subarray(
      at + ATTRIBUTE_HEADER_BYTES,
      at + ATTRIBUTE_HEADER_BYTES + length,
    );
    if (request.readUInt16BE(at) === USERNAME)
      return value.toString('latin1').split(':', 1)[0] ?? '';
    at +=
      ATTRIBUTE_HEADER_BYTES + Math.ceil(length / ATTRIBUTE_HEADER_BYTES) * ATTRIBUTE_HEADER_BYTES;
  }
  return '';
}
