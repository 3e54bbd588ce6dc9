/** Posts a message every so many ms as the first message says. */
self.onmessage = ({ data: everyMs }: MessageEvent<number>) => {
  setInterval(() => self.postMessage(null), everyMs);
};
