/** Ticks for a tab whose own timers the browser slows. Told the interval in ms, it begins. */
self.onmessage = ({ data: everyMs }: MessageEvent<number>) => {
  setInterval(() => self.postMessage(null), everyMs);
};
