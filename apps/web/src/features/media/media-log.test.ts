import { getLogger } from 'livekit-client';
import { afterEach, expect, test, vi } from 'vitest';
import { leaveOutClosedChannels } from './media-log.ts';

afterEach(() => vi.restoreAllMocks());

test('the console hears every error of the engine but the closed data channel', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  leaveOutClosedChannels(getLogger('media-log-test'));
  // As the library does it for every connection.
  const logger = getLogger('media-log-test', () => ({ room: 1 }));
  logger.error("publisher data channel 'DATA_TRACK_LOSSY' closed unexpectedly");
  expect(error).not.toHaveBeenCalled();
  logger.error('could not join');
  expect(error).toHaveBeenCalledExactlyOnceWith('could not join', { room: 1 });
});
