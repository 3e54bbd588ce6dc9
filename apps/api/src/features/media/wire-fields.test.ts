import {
  AddTrackRequest,
  SessionDescription,
  SignalRequest,
  SimulcastCodec,
  UpdateSubscription,
} from '@livekit/protocol';
import { expect, it } from 'vitest';
import { countFields } from './wire-fields.ts';

const bytesOf = (message: SignalRequest['message']) => new SignalRequest({ message }).toBinary();

it('counts the fields of a message and of those in it', () => {
  const trackSids = Array.from({ length: 20 }, (_, index) => `TR_${index}`);
  const value = new UpdateSubscription({ trackSids, subscribe: true });
  const count = countFields(bytesOf({ case: 'subscription', value }), 1_000);
  expect(count).toBeGreaterThanOrEqual(22);
  expect(count).toBeLessThan(60);
});

it('takes a long description for few', () => {
  const sdp = `v=0\r\n${'a=rtpmap:96 VP8/90000\r\n'.repeat(5_000)}`;
  const value = new SessionDescription({ type: 'offer', sdp });
  expect(countFields(bytesOf({ case: 'offer', value }), 1_000)).toBeLessThan(10);
});

it('stops behind the most, however many there are', () => {
  const many = { length: 100_000 };
  const codecs = new AddTrackRequest({
    simulcastCodecs: Array.from(many, () => new SimulcastCodec()),
  });
  expect(countFields(bytesOf({ case: 'addTrack', value: codecs }), 1_000)).toBe(1_001);
  const midToTrackId = Object.fromEntries(Array.from(many, (_, index) => [String(index), '']));
  const offer = new SessionDescription({ midToTrackId });
  expect(countFields(bytesOf({ case: 'offer', value: offer }), 1_000)).toBe(1_001);
  const numbers = new AddTrackRequest({ audioFeatures: Array.from(many, () => 1) });
  expect(countFields(bytesOf({ case: 'addTrack', value: numbers }), 1_000)).toBeGreaterThan(1_000);
});

it('takes nothing for no field', () => {
  expect(countFields(new Uint8Array(), 1_000)).toBe(0);
});

/** A track request with a thousand and one codecs, behind other bytes. */
const behind = (...bytes: number[]) => {
  const simulcastCodecs = Array.from({ length: 1_001 }, () => new SimulcastCodec());
  const inner = new AddTrackRequest({ simulcastCodecs }).toBinary();
  return [...bytes, 0x22, (inner.length & 0x7f) | 0x80, inner.length >> 7, ...inner];
};

it.each<[string, number[]]>([
  ['bytes that end in a number', [0xff]],
  ['a length beyond the end', [0x0a, 0x7f]],
  ['a number without end', new Array(40).fill(0xff)],
  ['a value of fixed length beyond the end', [0x09, 1]],
  ['an unknown group before them', behind(0xa3, 0x06, 0xa4, 0x06)],
  ['a tag beyond 32 bits', [0xa2, 0x80, 0x80, 0x80, 0x10, ...behind().slice(1)]],
  ['a length beyond 32 bits', [0x22, 0x80, 0x80, 0x80, 0x80, 0x10, 0]],
  ['a message of another wire type', [0x25, 0, 0, 0, 0]],
])('refuses what a decoder might read in another way: %s', (_, bytes) => {
  expect(countFields(new Uint8Array(bytes), 1_000)).toBe(1_001);
});
