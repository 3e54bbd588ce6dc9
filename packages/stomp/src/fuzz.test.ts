import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fuzzSessions } from '../fuzz/fuzz-sessions.ts';
import { encodeFrame } from './encode-frame.ts';
import type { Frame, StompVersion } from './frame.ts';
import { FrameParser } from './frame-parser.ts';
import { DEFAULT_LIMITS } from './limits.ts';

const versions = fc.constantFrom<StompVersion>('1.0', '1.1', '1.2');
const commands = fc
  .stringMatching(/^[A-Z]{1,32}$/)
  .filter((command) => !/^(CONN|STOMP)/.test(command));
const text = (version: StompVersion) => {
  const carried = fc
    .string({ unit: 'binary', maxLength: 40 })
    .filter((value) => value.isWellFormed());
  if (version === '1.0') return carried.map((value) => value.replace(/[\0\n\r:]/g, ' '));
  return carried.map((value) => value.replace(version === '1.1' ? /[\0\r]/g : /\0/g, ' '));
};

const frames = versions.chain((version) =>
  fc.record({
    version: fc.constant(version),
    frames: fc.array(
      fc.record({
        command: commands,
        headers: fc.array(
          fc.tuple(
            text(version).map((name) => `x${name}`),
            text(version),
          ),
          {
            maxLength: 10,
          },
        ),
        body: fc.uint8Array({ maxLength: 300 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    eols: fc.array(fc.nat(3), { minLength: 5, maxLength: 5 }),
    cuts: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 }),
  }),
);

function parseInPieces(bytes: Buffer, version: StompVersion, sizes: readonly number[]): Frame[] {
  const parser = new FrameParser(DEFAULT_LIMITS);
  parser.version = version;
  const parsed: Frame[] = [];
  let at = 0;
  for (let n = 0; at < bytes.length; n += 1) {
    const size = sizes[n % sizes.length] as number;
    parser.push(Buffer.from(bytes.subarray(at, at + size)));
    at += size;
    for (let frame = parser.next(); frame; frame = parser.next()) parsed.push(frame);
  }
  expect(parser.waitingBytes).toBe(0);
  return parsed;
}

it('[PA1] [FR1] [FR4] [FR5] what was written is read again, however it is cut', () => {
  fc.assert(
    fc.property(frames, ({ version, frames, eols, cuts }) => {
      const bytes = Buffer.concat(
        frames.flatMap(({ command, headers, body }, index) => [
          encodeFrame(command, headers, body, version),
          Buffer.alloc(eols[index] as number, '\n'),
        ]),
      );
      const parsed = parseInPieces(bytes, version, cuts);
      expect(parsed.map((frame) => frame.command)).toEqual(frames.map((frame) => frame.command));
      parsed.forEach((frame, index) => {
        const { headers, body } = frames[index] as (typeof frames)[number];
        const first = new Map([...headers].reverse());
        const own = [...frame.headers].filter(([name]) => name !== 'content-length');
        expect(new Map(own)).toEqual(first);
        expect([...frame.body]).toEqual([...body]);
      });
    }),
    { numRuns: 100 },
  );
}, 30_000);

it('[PA9] no bytes make the parser do anything but frames or a protocol error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), versions, (bytes, version) => {
      try {
        const parser = new FrameParser({ ...DEFAULT_LIMITS, frameBytes: 200 });
        parser.version = version;
        parser.push(Buffer.from(bytes));
        while (parser.next());
      } catch (error) {
        expect(error).toMatchObject({ name: 'StompProtocolError' });
      }
    }),
    { numRuns: 2_000 },
  );
});

it('sessions hold against 20,000 generated and spoiled frames', async () => {
  const result = await fuzzSessions(20_000, 7);
  expect(result.faults).toEqual([]);
  expect(result.handled).toBeGreaterThan(12_000);
  expect(result.messages).toBeGreaterThan(1_000);
  expect(result.errors).toBeGreaterThan(100);
}, 30_000);
