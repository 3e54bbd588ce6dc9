import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from '@playwright/test';
import { learnerScene } from './learner-scene.ts';

/** One size of a simulcast camera. */
export interface Layer {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  readonly bitsPerSecond: number;
}

/** A layer with its encoded pictures, as an IVF file. */
export interface Clip extends Layer {
  readonly file: string;
}

/** As features/media/room-options.ts of the web application. */
export const ourLayers: readonly Layer[] = [
  { width: 320, height: 180, framesPerSecond: 8, bitsPerSecond: 37_000 },
  { width: 640, height: 360, framesPerSecond: 15, bitsPerSecond: 350_000 },
];

const CACHE = path.resolve(import.meta.dirname, '../../.cache/bench-clips');
const CLIP_SECONDS = 30;
/** A subscriber that comes gets the next key frame at once, as from a camera (bench/bots). */
const KEY_FRAME_EVERY_SECONDS = 2;
/** Any address of this machine: browsers encode on safe origins only. */
const BLANK_PAGE = 'http://localhost/';

/**
 * The layers, encoded by the browser's own VP8 encoder as for a call; from the cache where they were made
 * before.
 */
export async function provideClips(browser: Browser, layers: readonly Layer[]): Promise<Clip[]> {
  const clips: Clip[] = [];
  for (const layer of layers) {
    const { width, height, framesPerSecond, bitsPerSecond } = layer;
    const name = `learner-1-${width}x${height}-${framesPerSecond}-${bitsPerSecond}.ivf`;
    const file = path.join(CACHE, name);
    if (!existsSync(file)) await writeClip(browser, layer, file);
    clips.push({ ...layer, file });
  }
  return clips;
}

async function writeClip(browser: Browser, layer: Layer, file: string): Promise<void> {
  const page = await browser.newPage();
  try {
    await page.route(BLANK_PAGE, (route) => route.fulfill({ body: '', contentType: 'text/html' }));
    await page.goto(BLANK_PAGE);
    const request = {
      ...layer,
      seconds: CLIP_SECONDS,
      keyFrameEverySeconds: KEY_FRAME_EVERY_SECONDS,
      scene: learnerScene.toString(),
    };
    const encoded = await page.evaluate(encode, request);
    await mkdir(CACHE, { recursive: true });
    await writeFile(`${file}.draft`, Buffer.from(encoded, 'base64'));
    await rename(`${file}.draft`, file);
  } finally {
    await page.close();
  }
}

interface EncodeRequest extends Layer {
  readonly seconds: number;
  readonly keyFrameEverySeconds: number;
  /** The source of `learnerScene`. */
  readonly scene: string;
}

/** Runs in the page: an IVF file in Base64. */
async function encode(request: EncodeRequest): Promise<string> {
  const { width, height, framesPerSecond, bitsPerSecond, seconds, keyFrameEverySeconds } = request;
  const bytes: number[] = [];
  const write = (size: number, value: number) => {
    for (let at = 0; at < size; at += 1) bytes.push(Math.floor(value / 2 ** (8 * at)) % 256);
  };
  const writeText = (text: string) => {
    for (const letter of text) bytes.push(letter.charCodeAt(0));
  };
  const frameCount = seconds * framesPerSecond;
  // A header of 32 bytes; times count in milliseconds.
  writeText('DKIF');
  write(2, 0);
  write(2, 32);
  writeText('VP80');
  write(2, width);
  write(2, height);
  write(4, 1_000);
  write(4, 1);
  write(4, frameCount);
  write(4, 0);

  let failure: Error | null = null;
  const encoder = new VideoEncoder({
    output(chunk) {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      write(4, data.length);
      write(8, Math.round(chunk.timestamp / 1_000));
      for (const byte of data) bytes.push(byte);
    },
    error(error) {
      failure = error;
    },
  });
  encoder.configure({
    ...{ codec: 'vp8', width, height, bitrate: bitsPerSecond, framerate: framesPerSecond },
    ...{ bitrateMode: 'constant', latencyMode: 'realtime' },
  });
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (!context) throw new Error('no canvas');
  const draw = new Function(`return ${request.scene}`)()(width);
  for (let at = 0; at < frameCount; at += 1) {
    draw(context, at / framesPerSecond);
    const frame = new VideoFrame(context.canvas, { timestamp: (at * 1e6) / framesPerSecond });
    encoder.encode(frame, { keyFrame: at % (keyFrameEverySeconds * framesPerSecond) === 0 });
    frame.close();
    while (encoder.encodeQueueSize > 2) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await encoder.flush();
  if (failure) throw failure;
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
