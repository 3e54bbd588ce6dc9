import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { apiPids, mediaPid } from '../../test/running-stack.ts';
import { enterFromMain, expect, expectMovingPicture, test, tileOf } from '../support/journey.ts';
import { shownTrack, watchPicture } from '../support/watch-picture.ts';

/** A busy machine can hold frames up for a moment; a new connection to the media server takes longer. */
const LONGEST_STILL_MS = 3_000;
/** A busy machine takes half a minute to start an API. */
const STARTED_WITHIN_MS = 60_000;
/** The signalling must have connected again and lasted. */
const WATCH_AFTER_RESTART_MS = 5_000;

test('pictures go on through an end of the API', async ({ newLearner, stack }) => {
  const [one, other] = [await newLearner(), await newLearner()];
  await enterFromMain(one.page);
  await enterFromMain(other.page);
  for (const signal of ['SIGKILL', 'SIGHUP'] as const) {
    const what = signal === 'SIGKILL' ? 'kill -9 of the API' : 'a restart of the API by SIGHUP';
    await test.step(`pictures go on through ${what}`, async () => {
      await expectMovingPicture(one.page, other.account);
      await expectMovingPicture(other.page, one.account);
      const [[api], media] = [await apiPids(stack), await mediaPid(stack)];
      if (api === undefined) throw new Error('no API runs');
      const { pid } = JSON.parse(await readFile(path.join(stack.dataDir, 'instance.json'), 'utf8'));
      const track = await shownTrack(one.page, other.account);
      const shown = await tileOf(one.page, other.account).locator('video').elementHandle();
      const longestStillMs = await watchPicture(one.page, other.account);

      const notice = one.page.getByText('서버와 연결이 끊겼어요. 다시 연결하는 중');
      const isDisconnected = one.page.getByText('스터디룸과 연결이 끊겼어요. 다시 연결하는 중');
      process.kill(signal === 'SIGKILL' ? api : pid, signal);
      if (signal === 'SIGKILL') {
        await expect(notice).toBeVisible();
        await expect(one.page.getByText('영상과 공부 시간은 그대로 이어지고')).toBeVisible();
        // Signalling passes through the API and is lost with it; the pictures are not.
        await expect(isDisconnected).toHaveCount(0);
      }
      await expect
        .poll(
          async () => {
            const present = await apiPids(stack);
            const isServed = await fetch(`${stack.url}/readyz`).then(
              (answer) => answer.ok,
              () => false,
            );
            return present.length > 0 && !present.includes(api) && isServed;
          },
          { timeout: STARTED_WITHIN_MS },
        )
        .toBe(true);
      const until = Date.now() + WATCH_AFTER_RESTART_MS;
      await expect.poll(() => Date.now() > until).toBe(true);

      const stillMs = await longestStillMs();
      console.log(`pictures stood for at most ${Math.round(stillMs)} ms through ${what}`);
      expect(stillMs).toBeLessThan(LONGEST_STILL_MS);
      expect(await shownTrack(one.page, other.account)).toBe(track);
      expect(await shown?.evaluate((video) => video.isConnected)).toBe(true);
      expect(await mediaPid(stack)).toBe(media);
      await expectMovingPicture(other.page, one.account);
      await expect(notice).toHaveCount(0, { timeout: STARTED_WITHIN_MS });
    });
  }
});
