import { expect, it } from 'vitest';
import type { Frame, StompVersion } from './frame.ts';
import { FrameParser } from './frame-parser.ts';
import { DEFAULT_LIMITS } from './limits.ts';

function parserOf(version?: StompVersion, limits = {}): FrameParser {
  const parser = new FrameParser({ ...DEFAULT_LIMITS, ...limits });
  parser.version = version;
  return parser;
}

function parse(bytes: string | Buffer, version?: StompVersion, limits = {}): Frame[] {
  const parser = parserOf(version, limits);
  parser.push(Buffer.from(bytes as string));
  return drain(parser);
}

function drain(parser: FrameParser): Frame[] {
  const frames: Frame[] = [];
  for (let frame = parser.next(); frame; frame = parser.next()) frames.push(frame);
  return frames;
}

function parseOne(bytes: string | Buffer, version?: StompVersion, limits = {}): Frame {
  const frames = parse(bytes, version, limits);
  expect(frames).toHaveLength(1);
  return frames[0] as Frame;
}

it('[FR1] reads command, headers and body', () => {
  const frame = parseOne('SEND\ndestination:/a\nkey:value\n\nhello\0', '1.2');
  expect(frame.command).toBe('SEND');
  expect([...frame.headers]).toEqual([
    ['destination', '/a'],
    ['key', 'value'],
  ]);
  expect(frame.body.toString()).toBe('hello');
});

it('[FR2] keeps the first of a repeated header', () => {
  const frame = parseOne('MESSAGE\nfoo:World\nfoo:Hello\n\n\0', '1.2');
  expect(frame.headers.get('foo')).toBe('World');
});

it('[FR3] reads UTF-8 heads and refuses others', () => {
  expect(parseOne('SEND\n이름:모각공\n\n\0', '1.2').headers.get('이름')).toBe('모각공');
  const latin1 = Buffer.from('SEND\nname:caf\xe9\n\n\0', 'latin1');
  expect(() => parse(latin1, '1.2')).toThrow('not UTF-8');
  const surrogate = Buffer.from([...Buffer.from('SEND\na:'), 0xed, 0xa0, 0x80, 10, 10, 0]);
  expect(() => parse(surrogate, '1.2')).toThrow('not UTF-8');
});

it('[FR4] unescapes 1.2 headers, names too', () => {
  const frame = parseOne('SEND\na\\cb:1\\r\\n\\c\\\\2\n\n\0', '1.2');
  expect([...frame.headers]).toEqual([['a:b', '1\r\n:\\2']]);
});

it('[FR5] unescapes 1.1 headers without CR, and 1.0 headers not at all', () => {
  expect(parseOne('SEND\nk:1\\n\\c\\\\2\n\n\0', '1.1').headers.get('k')).toBe('1\n:\\2');
  expect(parseOne('SEND\nk:1\\n\\c\\\\\\q\n\n\0', '1.0').headers.get('k')).toBe('1\\n\\c\\\\\\q');
});

it('[FR6] leaves CONNECT and STOMP as they are', () => {
  expect(parseOne('CONNECT\npasscode:a\\cb\\x\n\n\0').headers.get('passcode')).toBe('a\\cb\\x');
  expect(parseOne('STOMP\npasscode:a\\cb\\x\n\n\0').headers.get('passcode')).toBe('a\\cb\\x');
});

it.for([
  ['1.2', 'a:\\t'],
  ['1.2', 'a:b\\'],
  ['1.2', '\\x:b'],
  ['1.1', 'a:\\r'],
  ['1.1', 'a:\\t'],
] as const)('[FR7] refuses an undefined escape: %s %s', ([version, line]) => {
  expect(() => parse(`SEND\n${line}\n\n\0`, version)).toThrow('escape');
});

it('[FR9] takes content-length bytes, NULs included, and wants NUL behind them', () => {
  const frame = parseOne('SEND\ncontent-length:5\n\na\0b\0c\0', '1.2');
  expect(frame.body).toEqual(Buffer.from('a\0b\0c'));
  expect(() => parse('SEND\ncontent-length:2\n\nabc\0', '1.2')).toThrow('no NUL');
  for (const bad of ['-1', '1.0', ' 3', '0x3', '', '9'.repeat(20)]) {
    expect(() => parse(`SEND\ncontent-length:${bad}\n\nabc\0`, '1.2')).toThrow('content-length');
  }
  expect(parseOne('SEND\ncontent-length:0\n\n\0', '1.2').body).toHaveLength(0);
});

it('[FR10] ends a body without content-length at the first NUL', () => {
  const frames = parse('SEND\n\nabc\0SEND\n\ndef\0', '1.2');
  expect(frames.map((frame) => frame.body.toString())).toEqual(['abc', 'def']);
});

it('[FR12] keeps spaces of names and values', () => {
  expect([...parseOne('SEND\n a : b \n\n\0', '1.2').headers]).toEqual([[' a ', ' b ']]);
});

it('[FR13] wants a name and a colon, and leaves further colons to the value', () => {
  expect(() => parse('SEND\nnonsense\n\n\0', '1.2')).toThrow('header line');
  expect(() => parse('SEND\n:value\n\n\0', '1.2')).toThrow('header line');
  expect(() => parse('SEND\na\0b:c\n\n\0', '1.2')).toThrow('NUL');
  expect(parseOne('SEND\nurl:http://x:80\n\n\0', '1.2').headers.get('url')).toBe('http://x:80');
  expect(parseOne('SEND\nempty:\n\n\0', '1.2').headers.get('empty')).toBe('');
});

const CONVERSATION = Buffer.from(
  'CONNECT\r\naccept-version:1.2\r\n\r\n\0\n\r\n\nSEND\na:가\\c나\ncontent-length:4\n\n\0\0\n\0\0\r\n' +
    'SEND\r\nb:1\r\n\r\n모각공\0SUBSCRIBE\nid:0\n\n\0\n\n',
);

it('[PA1] gives the same frames for every way to cut the bytes in two, and byte by byte', () => {
  const whole = parse(CONVERSATION, '1.2');
  expect(whole).toHaveLength(4);
  for (let cut = 0; cut <= CONVERSATION.length; cut += 1) {
    const parser = parserOf('1.2');
    parser.push(Buffer.from(CONVERSATION.subarray(0, cut)));
    const frames = drain(parser);
    parser.push(Buffer.from(CONVERSATION.subarray(cut)));
    expect([...frames, ...drain(parser)]).toEqual(whole);
  }
  const parser = parserOf('1.2');
  const frames = [...CONVERSATION].flatMap((byte) => {
    parser.push(Buffer.from([byte]));
    return drain(parser);
  });
  expect(frames).toEqual(whole);
  expect(parser.waitingBytes).toBe(0);
});

it('[PA2] takes many frames out of one chunk, also when more chunks come first', () => {
  const parser = parserOf('1.2');
  for (let i = 0; i < 100; i += 1) parser.push(Buffer.from(`SEND\nn:${i}\n\nbody\0\n`));
  const frames = drain(parser);
  expect(frames.map((frame) => frame.headers.get('n'))).toEqual(
    Array.from({ length: 100 }, (_, i) => String(i)),
  );
});

it('[PA3] skips line ends between frames', () => {
  expect(parse('\n\r\n\n\n', '1.2')).toEqual([]);
  expect(parse('\n\nSEND\n\n\0\n\n\nSEND\n\n\0\n', '1.2')).toHaveLength(2);
});

it('[PA4] takes CR LF in 1.2 and before CONNECT, and no bare CR', () => {
  for (const version of ['1.2', undefined] as const) {
    expect([...parseOne('SEND\r\na:b\r\n\r\n\0', version).headers]).toEqual([['a', 'b']]);
    expect(() => parse('SEND\na:b\rc\n\n\0', version)).toThrow('bare CR');
    expect(() => parse('SEND\na:b\r\r\n\n\0', version)).toThrow('bare CR');
    expect(() => parse('\rSEND\n\n\0', version)).toThrow('bare CR');
  }
});

it('[PA5] takes CR as a character in 1.0 and 1.1', () => {
  for (const version of ['1.0', '1.1'] as const) {
    expect([...parseOne('SEND\na:b\r\n\n\0', version).headers]).toEqual([['a', 'b\r']]);
    expect(() => parse('SEND\na:b\r\n\r\n\n\0', version)).toThrow('header line');
  }
});

it('[PA6] does linear work for frames that come byte by byte', () => {
  const timeOf = (bytes: number): number => {
    const parser = parserOf('1.2', { frameBytes: bytes * 2 });
    const startMs = performance.now();
    parser.push(Buffer.from('SEND\n\n'));
    for (let i = 0; i < bytes; i += 1) {
      parser.push(Buffer.from('x'));
      parser.next();
    }
    parser.push(Buffer.from('\0'));
    expect(parser.next()?.body).toHaveLength(bytes);
    return performance.now() - startMs;
  };
  timeOf(20_000);
  // Quadratic work would take 64 times as long.
  expect(timeOf(400_000)).toBeLessThan(Math.max(timeOf(50_000), 4) * 24);
});

it('[PA7] does not keep a large receive buffer for a partial frame', () => {
  const receiveBuffer = Buffer.alloc(64 * 1024, 0x0a);
  receiveBuffer.write('SEND\n\nhalf', receiveBuffer.length - 10);
  const parser = parserOf('1.2');
  parser.push(receiveBuffer);
  expect(parser.next()).toBeUndefined();
  receiveBuffer.fill(0);
  parser.push(Buffer.from(' whole\0'));
  expect(parser.next()?.body.toString()).toBe('half whole');
});

it('[PA8] leaves bodies that were handed out alone', () => {
  const parser = parserOf('1.2');
  const bodies: Buffer[] = [];
  for (let i = 0; i < 1_000; i += 1) {
    parser.push(Buffer.from(`SEND\n\nbody ${i}`));
    expect(parser.next()).toBeUndefined();
    parser.push(Buffer.from('\0SE'));
    bodies.push((parser.next() as Frame).body);
    parser.push(Buffer.from('ND\n\n\0'));
    expect(parser.next()?.command).toBe('SEND');
  }
  expect(bodies.map(String)).toEqual(Array.from({ length: 1_000 }, (_, i) => `body ${i}`));
});

it('[LI1] takes a frame of exactly the limit, and refuses one byte more as soon as it is known', () => {
  const limits = { frameBytes: 100 };
  const body = 'x'.repeat(100 - 'SEND\n\n\0'.length);
  expect(parseOne(`SEND\n\n${body}\0`, '1.2', limits).body).toHaveLength(body.length);
  expect(() => parse(`SEND\n\n${body}x\0`, '1.2', limits)).toThrow('larger than 100');
  expect(() => parse(`SEND\n\n${body}xx`, '1.2', limits)).toThrow('larger than 100');
  expect(() => parse('SEND\ncontent-length:90\n\n', '1.2', limits)).toThrow('larger than 100');
  expect(() => parse(`SEND\n${'a:b\n'.repeat(30)}`, '1.2', limits)).toThrow('larger than 100');
});

it('[LI2] takes as many headers as the limit and no more', () => {
  expect(parseOne(`SEND\n${'a:b\n'.repeat(64)}\n\0`, '1.2').headers.size).toBe(1);
  expect(() => parse(`SEND\n${'a:b\n'.repeat(65)}`, '1.2')).toThrow('too many headers');
});

it('[LI3] refuses a header line over the limit before its end has come', () => {
  const limits = { headerLineBytes: 10 };
  expect(parseOne(`SEND\na:${'x'.repeat(8)}\n\n\0`, '1.2', limits).headers.size).toBe(1);
  expect(() => parse(`SEND\na:${'x'.repeat(9)}`, '1.2', limits)).toThrow('header too long');
});

it('[LI4] refuses a command over the limit before its end has come', () => {
  expect(() => parse('GET / HTTP/1.1 and so on and on and on', '1.2')).toThrow('command too long');
});
