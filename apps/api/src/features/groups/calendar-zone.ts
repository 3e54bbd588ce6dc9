import { DAY_MS } from '@mogakgong/contract';

/** Changes of the clock are written out for this time; a calendar reads the file again long before it has passed. */
const YEARS_BEFORE = 1;
const YEARS_AFTER = 5;
/** Shorter than the time between two changes of the clock of any zone. */
const STEP_MS = 14 * DAY_MS;

/** How far a zone is ahead of UTC at a moment, in seconds. */
type OffsetAt = (momentMs: number) => number;

/** @throws RangeError for a zone that this runtime does not know. */
function offsetsOf(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (momentMs) => {
    const parts = new Map(format.formatToParts(momentMs).map(({ type, value }) => [type, value]));
    const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
    const wallMs = Date.UTC(
      ...([
        of('year'),
        of('month') - 1,
        of('day'),
        of('hour'),
        of('minute'),
        of('second'),
      ] as const),
    );
    return Math.round((wallMs - momentMs) / 1_000);
  };
}

/** The second in which the offset changes between two moments. */
function changeBetween(offsetAt: OffsetAt, fromMs: number, toMs: number, offset: number): number {
  let [before, after] = [fromMs, toMs];
  while (after - before > 1_000) {
    const middle = before + Math.floor((after - before) / 2_000) * 1_000;
    if (offsetAt(middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** An offset as `+0900`, with seconds where a zone has them. */
function offsetText(seconds: number): string {
  const [sign, whole] = [seconds < 0 ? '-' : '+', Math.abs(seconds)];
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  if (whole % 60 !== 0) parts.push(whole % 60);
  return sign + parts.map((part) => String(part).padStart(2, '0')).join('');
}

/** A part of VTIMEZONE: from this moment on the zone has this offset. */
function observance(atMs: number, before: number, after: number): string[] {
  const kind = after > before ? 'DAYLIGHT' : 'STANDARD';
  // The local time by the offset before the change (RFC 5545, 3.6.5).
  const wall = new Date(atMs + before * 1_000).toISOString().slice(0, 19).replace(/[-:]/gu, '');
  return [
    `BEGIN:${kind}`,
    `DTSTART:${wall}`,
    `TZOFFSETFROM:${offsetText(before)}`,
    `TZOFFSETTO:${offsetText(after)}`,
    `END:${kind}`,
  ];
}

/** The lines of VTIMEZONE: each change of the clock of a zone around now, by itself (RFC 5545, 3.6.5). */
export function zoneLines(timeZone: string, now: Date): string[] {
  const offsetAt = offsetsOf(timeZone);
  const fromMs = Date.UTC(now.getUTCFullYear() - YEARS_BEFORE, 0, 1);
  const toMs = Date.UTC(now.getUTCFullYear() + YEARS_AFTER, 0, 1);
  let before = offsetAt(fromMs);
  const lines = observance(fromMs, before, before);
  for (let atMs = fromMs; atMs < toMs; atMs += STEP_MS) {
    const after = offsetAt(atMs + STEP_MS);
    if (before === after) continue;
    lines.push(...observance(changeBetween(offsetAt, atMs, atMs + STEP_MS, before), before, after));
    before = after;
  }
  return ['BEGIN:VTIMEZONE', `TZID:${timeZone}`, ...lines, 'END:VTIMEZONE'];
}
