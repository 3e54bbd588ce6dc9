/** Posts messages at the interval, in ms, that the first message names. */
self.onmessage = ({ data: everyMs }: MessageEvent<number>) => {
  setInterval(() => self.postMessage(null), everyMs);
};
