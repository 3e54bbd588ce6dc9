import { tileMs, todayMs } from '@mogakgong/contract';
import { clockText, onSecond, paddedClockText, serverNowMs } from '../../shared/clock/index.ts';
import { translate } from '../../shared/i18n/texts.ts';
import { clockOf } from '../../shared/today/own-clock.ts';
import { knownToday, useOwnClock } from '../../shared/today/today.ts';
import { lightOf } from '../../shared/ui/lamp.tsx';
import type { RoomLive } from '../live/room-live.ts';

const WIDTH = 480;
const HEIGHT = 270;
const FONT = 'Pretendard, sans-serif';

/**
 * The learner's own clock, today's time and one lamp per member, drawn as a video: browsers without document
 * picture-in-picture float a video above other windows.
 */
export class ClockVideo {
  readonly #live: RoomLive;
  readonly #canvas = document.createElement('canvas');
  readonly #video = document.createElement('video');
  readonly #ending = new AbortController();

  /** @param onClosed called once, also when the learner closes the video. */
  constructor(live: RoomLive, onClosed: () => void) {
    this.#live = live;
    this.#canvas.width = WIDTH;
    this.#canvas.height = HEIGHT;
    this.#ending.signal.addEventListener('abort', onClosed);
  }

  /** Rejects where the browser refuses. */
  async open(): Promise<void> {
    const { signal } = this.#ending;
    const video = this.#video;
    video.addEventListener('leavepictureinpicture', () => this.#ending.abort(), { signal });
    // Only an element in the page has its colours.
    this.#canvas.hidden = true;
    document.body.append(this.#canvas);
    const stream = this.#canvas.captureStream();
    const stop = onSecond(() => this.#draw());
    signal.addEventListener('abort', () => {
      stop();
      for (const track of stream.getTracks()) track.stop();
      this.#canvas.remove();
    });
    try {
      video.muted = true;
      video.srcObject = stream;
      this.#draw();
      await video.play();
      await video.requestPictureInPicture();
    } catch (error) {
      this.#ending.abort();
      throw error;
    }
  }

  close(): void {
    if (document.pictureInPictureElement === this.#video) void document.exitPictureInPicture();
    else this.#ending.abort();
  }

  #draw(): void {
    const context = this.#canvas.getContext('2d');
    if (context === null) return;
    const { tiles } = this.#live.store.getState();
    const clock = clockOf(useOwnClock.getState());
    const nowMs = serverNowMs();
    const today = knownToday(this.#live.userId);
    const write = (text: string, y: number, size: number, colour: string) => {
      context.font = `600 ${size}px ${FONT}`;
      context.fillStyle = this.#colour(colour);
      context.fillText(text, WIDTH / 2, y);
    };
    context.fillStyle = this.#colour('--ground');
    context.fillRect(0, 0, WIDTH, HEIGHT);
    context.textAlign = 'center';
    write(translate(`status.${clock?.status ?? 'idle'}`), 52, 26, '--ink-soft');
    write(clockText(clock ? tileMs(clock, nowMs) : 0), 136, 84, '--ink');
    const todayText = paddedClockText(today ? todayMs(today, nowMs) : 0);
    write(`${translate('today.label')} ${todayText}`, 182, 24, '--ink-soft');
    tiles.forEach((tile, index) => {
      const { status } = (tile.isSelf ? clock : tile.clock) ?? {};
      const isLit = lightOf(status) === 'burning';
      context.fillStyle = this.#colour(isLit ? '--lamp' : '--line-strong');
      context.beginPath();
      context.arc(WIDTH / 2 + 20 * (index - (tiles.length - 1) / 2), 226, 7, 0, 2 * Math.PI);
      context.fill();
    });
  }

  /** A theme colour in a form that canvases accept. */
  #colour(token: string): string {
    this.#canvas.style.color = `var(${token})`;
    return getComputedStyle(this.#canvas).color;
  }
}
