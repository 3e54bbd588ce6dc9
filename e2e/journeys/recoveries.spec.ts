import { enterFromMain, expect, expectMovingPicture, test, tileOf } from '../support/journey.ts';

/** First byte of a message of the media signalling that asks to publish a track: field 4 of SignalRequest. */
const ADD_TRACK = 0x22;

test('a picture that the media server is not asked for is said to be unseen, and reaches the others once it can', async ({
  newLearner,
}) => {
  const [{ page, account }, other] = await Promise.all([newLearner(), newLearner()]);
  let isRefused = true;
  await page.routeWebSocket(/\/rtc/u, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      if (isRefused && typeof message !== 'string' && message[0] === ADD_TRACK) return;
      server.send(message);
    });
  });
  await enterFromMain(page);
  await enterFromMain(other.page);
  const unseen = tileOf(page, account).getByRole('status').getByText('다른 사람에게 안 보여요');
  await expect(tileOf(page, account).getByText('다른 사람에게 안 보여요')).toBeVisible({
    timeout: 30_000,
  });
  isRefused = false;
  await expect(unseen).toHaveCount(0, { timeout: 60_000 });
  await expectMovingPicture(other.page, account);
});
