import { admin } from '../../test/admin-command.ts';
import { startForeignMedia } from '../../test/foreign-media.ts';
import { enterFromMain, expect, expectMovingPicture, test as journey } from '../support/journey.ts';
import { shownTrack, watchPicture } from '../support/watch-picture.ts';

const KEY = 'journey-key';
const SECRET = 'the secret of a media server of a journey';
/** Pictures may stand while a room moves, and while its server has died. */
const MOVED_WITHIN_MS = 3_000;
const BACK_WITHIN_MS = 8_000;

/** A LiveKit of which the product knows only address and key. */
const test = journey.extend<{ readonly other: { readonly url: string; kill(): Promise<void> } }>({
  other: async ({ stack }, use) => {
    const { url, kill } = await startForeignMedia(KEY, SECRET, stack.url);
    await use({ url, kill });
    await kill();
    // Later journeys need the server that is drained when this one fails.
    const drained = (await admin(stack, 'media list')).matchAll(/draining +\d+ +(\S+)/gu);
    for (const [, address] of drained) await admin(stack, `media open ${address}`);
    await admin(stack, `media remove ${url}`);
  },
});

test('pictures go on when their media server is drained, and come back when it dies', async ({
  newLearner,
  stack,
  other,
}) => {
  const [one, two] = [await newLearner(), await newLearner()];
  await enterFromMain(one.page);
  await enterFromMain(two.page);
  await expectMovingPicture(one.page, two.account);
  await expectMovingPicture(two.page, one.account);
  const own = /open +\d+ +(?<url>\S+)/u.exec(await admin(stack, 'media list'))?.groups?.url ?? '';
  expect(await admin(stack, `media add ${other.url} ${KEY}`, SECRET)).toContain('takes rooms now');
  /** Resolves once the pictures come by another connection; returns how long they stood, in ms. */
  const moved = async (move: () => Promise<unknown>): Promise<number> => {
    const before = await shownTrack(one.page, two.account);
    const longestStillMs = await watchPicture(one.page, two.account);
    await move();
    await expect
      .poll(() => shownTrack(one.page, two.account).catch(() => before), { timeout: 30_000 })
      .not.toBe(before);
    await expectMovingPicture(one.page, two.account);
    await expectMovingPicture(two.page, one.account);
    return longestStillMs();
  };

  await test.step('its server is drained', async () => {
    const stillMs = await moved(() => admin(stack, `media drain ${own} 0`));
    console.log(`pictures stood for at most ${Math.round(stillMs)} ms while their room moved`);
    expect(stillMs).toBeLessThan(MOVED_WITHIN_MS);
  });

  await test.step('its server is killed', async () => {
    await admin(stack, `media open ${own}`);
    const stillMs = await moved(() => other.kill());
    console.log(`pictures stood for at most ${Math.round(stillMs)} ms when their server died`);
    expect(stillMs).toBeLessThan(BACK_WITHIN_MS);
  });
});
