import { connect } from 'node:net';

/** LiveKit closes such a connection within milliseconds. */
const TIMEOUT_MS = 4_000;
/** A message, with its length before it, that is no STUN. */
const JUNK = Buffer.from([0, 4, 0xff, 0xff, 0xff, 0xff]);

/**
 * Whether a LiveKit still takes connections at its TCP port and reads them: it closes one that sends junk. The
 * system takes them for it, and nothing happens, once its loop has ended.
 */
export function endsJunk(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(JUNK));
  const tooLate = setTimeout(() => end(false), TIMEOUT_MS);
  const end = (hasEnded: boolean) => {
    clearTimeout(tooLate);
    socket.destroy();
    resolve(hasEnded);
  };
  // A reset is an end as well; no connection at all is none.
  socket.once('error', ({ syscall }: NodeJS.ErrnoException) => end(syscall !== 'connect'));
  socket.resume().once('end', () => end(true));
  return promise;
}
