import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { deflateSync } from 'node:zlib';
import {
  type ErrorName,
  IMAGE_MAX_BYTES,
  IMAGE_MAX_PIXELS,
  IMAGE_SIDE_PX,
  type UserId,
} from '@mogakgong/contract';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { newJpeg, plain } from '../../../test/pictures.ts';
import { createLogger } from '../../platform/logger/index.ts';
import { createReEncode } from './re-encode.ts';

const logger = createLogger('silent');
const ofUser = createReEncode(logger);
let lastUserId = 0;
/** Of another learner each time. */
const reEncode = (upload: Uint8Array) => {
  lastUserId += 1;
  return ofUser(lastUserId as UserId, upload);
};
const SIDE = Math.sqrt(IMAGE_MAX_PIXELS);

const refusalOf = (upload: Uint8Array): Promise<ErrorName | 'none'> =>
  reEncode(upload).then(
    () => 'none' as const,
    (error: { row: ErrorName }) => error.row,
  );

/** A PNG with a header that claims more than its few bytes contain. */
function pngClaiming(width: number, height: number): Buffer {
  const png = Buffer.from(onePixelPng);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** A PNG with chunks of one kind that each decompress to 8 MB. */
function pngWith(type: string, prefix: string, count: number): Buffer {
  const compressed = deflateSync(Buffer.alloc(7_900_000, 65), { level: 9 });
  const data = Buffer.concat([Buffer.from(`${type}${prefix}`, 'latin1'), compressed]);
  const chunk = Buffer.alloc(data.length + 8);
  chunk.writeUInt32BE(data.length - 4);
  data.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(data), data.length + 4);
  const repeated = Array.from({ length: count }, () => chunk);
  // After the signature and the header.
  return Buffer.concat([onePixelPng.subarray(0, 33), ...repeated, onePixelPng.subarray(33)]);
}

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

const onePixelPng = await plain(1, 1).png().toBuffer();
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
);

describe('a refused file', () => {
  it.each<[string, () => Promise<Buffer> | Buffer, ErrorName]>([
    ['SVG', () => svg, 'imageUnsupported'],
    [
      'SVG behind a byte order mark',
      () => Buffer.concat([Buffer.from('\ufeff'), svg]),
      'imageUnsupported',
    ],
    ['compressed text', () => deflateSync(svg), 'imageUnsupported'],
    ['GIF', () => plain(9, 9).gif().toBuffer(), 'imageUnsupported'],
    ['TIFF', () => plain(9, 9).tiff().toBuffer(), 'imageUnsupported'],
    ['AVIF', () => plain(9, 9).avif().toBuffer(), 'imageUnsupported'],
    ['a PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n'), 'imageUnsupported'],
    ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 'imageUnsupported'],
    ['a PNG of 4 thousand million pixels', () => pngClaiming(65_535, 65_535), 'imageTooManyPixels'],
    [
      'a pixel row too many',
      () =>
        plain(SIDE, SIDE + 1)
          .png()
          .toBuffer(),
      'imageTooManyPixels',
    ],
    [
      'an interlaced PNG of 100 MB',
      () => largest().png({ progressive: true }).toBuffer(),
      'imageTooManyPixels',
    ],
    [
      'an interlaced PNG of 16 bits a channel of 72 MB',
      () => square(3_000).toColourspace('rgb16').png({ progressive: true }).toBuffer(),
      'imageTooManyPixels',
    ],
    ['a JPEG with bytes that belong to nothing', async () => withStrayBytes(), 'imageUnreadable'],
    ['a PNG without its picture', () => pngClaiming(4_000, 4_000), 'imageUnreadable'],
    ['half a JPEG', async () => half(await plain(900, 900).jpeg().toBuffer()), 'imageUnreadable'],
    ['half a PNG', async () => half(await noise('png')), 'imageUnreadable'],
    ['half a WebP', async () => half(await noise('webp')), 'imageUnreadable'],
    ['the first bytes of a JPEG', async () => (await newJpeg()).subarray(0, 12), 'imageUnreadable'],
  ])('%s', async (_what, make, error) => {
    expect(await refusalOf(await make())).toBe(error);
  });
});

/** The decoder warns about the extra bytes and continues. */
async function withStrayBytes(): Promise<Buffer> {
  const jpeg = await newJpeg();
  return Buffer.concat([jpeg.subarray(0, 20), Buffer.from([1, 2, 3]), jpeg.subarray(20)]);
}

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);

const noise = (format: 'png' | 'webp') =>
  sharp({
    create: {
      width: 300,
      height: 300,
      channels: 3,
      background: '#000000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .toFormat(format)
    .toBuffer();

describe('a stored picture', () => {
  it('has lost place and time of the photograph', async () => {
    const taken = await plain(400, 300)
      .withExif({
        IFD0: { Make: 'a camera', Copyright: 'Kim' },
        IFD3: { GPSLatitude: '37/1 33/1 59/1', GPSLongitude: '126/1 58/1 40/1' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
      .jpeg()
      .toBuffer();
    expect((await sharp(taken).metadata()).exif?.length).toBeGreaterThan(100);
    const stored = await reEncode(taken);
    const { exif, xmp, icc, iptc, format } = await sharp(stored).metadata();
    expect({ exif, xmp, icc, iptc, format }).toEqual({ format: 'webp' });
    expect(stored.includes('GPS') || stored.includes('Kim')).toBe(false);
  });

  it('stands upright', async () => {
    const [left, right] = ['#ff0000', '#0000ff'].map((background) => ({
      create: { width: 50, height: 100, channels: 3 as const, background },
    }));
    const lying = await plain(100, 100)
      .composite([
        { input: left, left: 0, top: 0 },
        { input: right, left: 50, top: 0 },
      ])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const top = sharp(await reEncode(lying)).extract({ left: 100, top: 20, width: 1, height: 1 });
    const [red = 0, , blue = 0] = await top.removeAlpha().raw().toBuffer();
    expect(red).toBeGreaterThan(200);
    expect(blue).toBeLessThan(60);
  });

  it('is the first picture of an animation', async () => {
    const pages = await Promise.all(
      ['#ff0000', '#0000ff'].map((c) => plain(64, 64, c).png().toBuffer()),
    );
    const animated = await sharp(pages, { join: { animated: true } })
      .webp()
      .toBuffer();
    expect((await sharp(animated, { pages: -1 }).metadata()).pages).toBe(2);
    const stored = await reEncode(animated);
    expect((await sharp(stored, { pages: -1 }).metadata()).pages ?? 1).toBe(1);
    const [red = 0] = await sharp(stored).removeAlpha().raw().toBuffer();
    expect(red).toBeGreaterThan(200);
  });

  it('holds nothing that was hidden behind or in the picture', async () => {
    const payload = Buffer.from('<script>alert(document.domain)</script>PK\u0003\u0004');
    const jpeg = await newJpeg();
    // A comment segment after the start of the image, and bytes after its end.
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, payload.length + 2]), payload]);
    const polyglot = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), payload]);
    const stored = await reEncode(polyglot);
    expect(stored.includes('script') || stored.includes('PK')).toBe(false);
  });

  it('keeps what is transparent', async () => {
    const glass = sharp({
      create: { width: 20, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    const stored = await reEncode(await glass.png().toBuffer());
    expect((await sharp(stored).metadata()).hasAlpha).toBe(true);
  });
});

describe('the decoder', () => {
  it('is killed at its deadline, which is logged', async () => {
    const lines: string[] = [];
    const log = createLogger('warn', { write: (line) => void lines.push(line) });
    const impatient = createReEncode(log, 1);
    // Larger than the buffer of a pipe: the decoder ends before it has read it.
    const upload = Buffer.alloc(IMAGE_MAX_BYTES);
    await expect(impatient(1 as UserId, upload)).rejects.toMatchObject({ row: 'imageUnreadable' });
    expect(lines.join()).toContain('"signal":"SIGKILL"');
  });

  it('runs twice at the same time at most', async () => {
    const jpeg = await newJpeg();
    const running = Promise.all(Array.from({ length: 5 }, () => reEncode(jpeg)));
    const counts = new Set<number>();
    const timer = setInterval(() => counts.add(countOf('ProcessWrap')), 5);
    await running;
    clearInterval(timer);
    expect(Math.max(...counts)).toBe(2);
  });

  it('takes large pictures of learners in turn', async () => {
    const large = await square(2_100).jpeg().toBuffer();
    const done: number[] = [];
    const uploads = [1, 1, 1, 2, 3].map(async (userId) => {
      await ofUser(userId as UserId, large);
      done.push(userId);
    });
    await Promise.all(uploads);
    // Each learner's first picture is done before anyone's second; which of the first ones is decoded first is open.
    expect(done.slice(0, 3).toSorted()).toEqual([1, 2, 3]);
    expect(done.slice(3)).toEqual([1, 1]);
  });

  it.runIf(process.platform === 'linux')('knows no secret of ours', async () => {
    const reEncoding = reEncode(await newJpeg());
    const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
    const environments = await Promise.all(
      children.match(/\d+/gu)?.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8')) ?? [],
    );
    await reEncoding;
    expect(environments.filter((environment) => !environment.includes('PATH='))).toEqual(['']);
  });

  it('that cannot be started fails its upload alone', async () => {
    const program = `
      import { openSync } from 'node:fs';
      const { createReEncode } = await import(${JSON.stringify(RE_ENCODE)});
      const { createLogger } = await import(${JSON.stringify(LOGGER)});
      const reEncode = createReEncode(createLogger('silent'));
      try { for (;;) openSync('/dev/null'); } catch {}
      for (const _ of [1, 2, 3]) await reEncode(1, new Uint8Array(1)).catch(({ code }) => console.log(code));
      setImmediate(() => { console.log('alive'); process.exit(); });`;
    const command = `ulimit -n 60 && exec '${process.execPath}' --input-type=module`;
    const child = spawn('sh', ['-c', command], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(program);
    expect(await text(child.stdout)).toBe('EMFILE\nEMFILE\nEMFILE\nalive\n');
  });
});

const RE_ENCODE = path.join(import.meta.dirname, 're-encode.ts');
const LOGGER = path.join(import.meta.dirname, '../../platform/logger/index.ts');
const countOf = (resource: string) =>
  process.getActiveResourcesInfo().filter((name) => name === resource).length;

/** Maximum memory of the decoder; Node.js and libvips take about 75 MB of it. */
const PEAK_MAX_MB = 180;
const PROGRAM = path.join(import.meta.dirname, 're-encode-process.ts');
/** Linux includes the memory of the spawning process in `maxRSS`; VmHWM starts with this program. */
const REPORT_PEAK = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from 'node:fs';
  const peakKb = () =>
    process.platform === 'linux'
      ? /VmHWM:\\s*(\\d+)/u.exec(readFileSync('/proc/self/status', 'utf8'))[1]
      : process.resourceUsage().maxRSS;
  process.on('exit', () => process.stderr.write(String(peakKb())));
`)}`;

/** The exit of the process of one picture, and its peak memory. */
async function runDecoder(upload: Uint8Array) {
  const side = String(IMAGE_SIDE_PX);
  const how = [String(IMAGE_MAX_PIXELS), side, side, 'cover'];
  const args = ['--import', REPORT_PEAK, PROGRAM, ...how];
  const child = spawn(process.execPath, args, { stdio: 'pipe', env: {} });
  child.stdin.on('error', () => undefined);
  child.stdin.end(upload);
  const [picture, peakKb, [code]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, picture, peakMb: Number(peakKb) / 1_024 };
}

const square = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 4, background: '#17483a' } });
const largest = () => square(SIDE);

describe(`the decoder stays below ${PEAK_MAX_MB} MB with`, () => {
  it.each<[string, () => Promise<Buffer> | Buffer]>([
    ['the largest JPEG', () => largest().jpeg().toBuffer()],
    ['the largest progressive JPEG', () => largest().jpeg({ progressive: true }).toBuffer()],
    ['the largest PNG', () => largest().png().toBuffer()],
    ['the largest interlaced PNG', () => square(4_000).png({ progressive: true }).toBuffer()],
    [
      'an interlaced PNG of 16 bits a channel',
      () => largest().toColourspace('rgb16').png({ progressive: true }).toBuffer(),
    ],
    ['the largest WebP', () => largest().webp({ effort: 0 }).toBuffer()],
    ['the largest lossless WebP', () => largest().webp({ lossless: true, effort: 0 }).toBuffer()],
    ['a PNG of 4 thousand million pixels', () => pngClaiming(65_535, 65_535)],
    ['a PNG with 600 compressed texts of 8 MB', () => pngWith('zTXt', 'Comment\0\0', 600)],
    ['a PNG with 600 compressed profiles of 8 MB', () => pngWith('iCCP', 'x\0\0', 600)],
  ])('%s', async (what, make) => {
    const upload = await make();
    const { code, peakMb } = await runDecoder(upload);
    process.stdout.write(
      `${what}: ${upload.length} bytes, ${Math.round(peakMb)} MB, exit ${code}\n`,
    );
    expect(peakMb).toBeGreaterThan(10);
    expect(peakMb).toBeLessThan(PEAK_MAX_MB);
  });
});
