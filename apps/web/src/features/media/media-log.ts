import type { getLogger } from 'livekit-client';

/** Nobody may send data in our rooms (design §6), so the server closes the channels for it. */
const CLOSED_CHANNEL = /^publisher data channel '\w+' closed unexpectedly/u;

/**
 * Keeps that closing, which the library calls an error at every joining, out of the console. A
 * connection that really ends is told by its own event, and every other line stays.
 */
export function leaveOutClosedChannels(logger: ReturnType<typeof getLogger>): void {
  const { methodFactory } = logger;
  logger.methodFactory = (...parts) => {
    const write = methodFactory(...parts);
    return (...message: unknown[]) => {
      if (!CLOSED_CHANNEL.test(String(message[0]))) write(...message);
    };
  };
  logger.rebuild();
}
