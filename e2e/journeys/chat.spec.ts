import { destinations } from '@mogakgong/contract';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { breakableRealtime, closedWith } from '../support/breakable-realtime.ts';
import {
  answer,
  bubbleOf,
  chipOf,
  connectionOf,
  expectSaid,
  inputOf,
  logOf,
  openChat,
  panelOf,
  say,
  saying,
} from '../support/chat.ts';
import { deliverMessages, watchChatSocket } from '../support/chat-frames.ts';
import {
  type Account,
  enterFromMain,
  expect,
  logInByForm,
  passCameraCheck,
  test,
  tileOf,
} from '../support/journey.ts';

const closed = closedWith(1013);
const PLACEHOLDER = '(차단한 유저의 메시지입니다.)';

/** Two learners in one room, both with the chat open. */
async function openRoom(
  newLearner: () => Promise<{ readonly page: Page; readonly account: Account }>,
) {
  const [first, second] = await Promise.all([newLearner(), newLearner()]);
  const room = await enterFromMain(first.page);
  expect(await enterFromMain(second.page)).toBe(room);
  await Promise.all([openChat(first.page), openChat(second.page)]);
  return { first, second, room };
}

test('two learners talk in a room, until it is empty', async ({ newLearner }) => {
  const { first, second, room } = await openRoom(newLearner);

  await test.step('two learners talk; a reload shows what was said before', async () => {
    await expect(
      first.page.getByRole('heading', { name: `스터디룸 채팅 (${room}번 방)` }),
    ).toBeVisible();
    await say(first.page, '  안녕하세요  ');
    await expectSaid(second.page, '안녕하세요');
    await say(second.page, '반가워요');
    await expectSaid(first.page, '반가워요');
    await expectSaid(first.page, '안녕하세요');

    await say(first.page, '   ');
    await inputOf(first.page).fill('<b>https://example.org</b>');
    await inputOf(first.page).press('Shift+Enter');
    await expect(inputOf(first.page)).toHaveValue('<b>https://example.org</b>\n');
    await first.page.getByRole('button', { name: '보내기' }).click();
    await expectSaid(second.page, '<b>https://example.org</b>');
    await expect(logOf(second.page).getByRole('link')).toHaveCount(0);

    // The font has contextual forms that would draw t1x2 as t1×2.
    await say(first.page, 't1x2');
    await expectSaid(second.page, 't1x2');
    for (const text of [saying(second.page, 't1x2'), inputOf(second.page)]) {
      await expect(text).toHaveCSS('font-variant-ligatures', 'no-contextual');
    }

    await second.page.reload();
    await openChat(second.page);
    for (const text of ['안녕하세요', '반가워요']) await expectSaid(second.page, text);
    await expect(logOf(second.page).locator('article')).toHaveCount(4);
  });

  await test.step('a reply shows what it answers, and everybody has one reaction, also after a reload', async () => {
    const said = (page: Page) => bubbleOf(page, '반가워요');
    const menu = second.page.getByRole('menu');
    await answer(first.page, '반가워요', '박수');
    await chipOf(second.page, '박수 1명').click();
    await expect(chipOf(first.page, '박수 2명, 나도 남김')).toBeVisible();
    const own = said(second.page).getByRole('button', { name: '내 메시지에 반응·답장' });
    await own.press('Enter');
    await expectAccessible(second.page);
    await menu.getByRole('menuitemradio', { name: '좋아요' }).press('ArrowRight');
    await expect(menu.getByRole('menuitemradio', { name: '박수' })).toBeFocused();
    await second.page.keyboard.press('Enter');
    await expect(chipOf(first.page, '박수 1명, 나도 남김')).toBeVisible();

    await answer(first.page, '반가워요', '답장');
    await expect(inputOf(first.page)).toBeFocused();
    await say(first.page, '저도 반가워요');
    await expectSaid(second.page, '저도 반가워요');
    await second.page.reload();
    await openChat(second.page);
    await expect(chipOf(second.page, '박수 1명')).toBeVisible();
    await chipOf(second.page, '답한 메시지 나 반가워요').click();
    await expect(said(second.page).first()).toBeFocused();
  });

  await test.step('a closed panel counts what is new, opens at it and gives the focus back', async () => {
    await inputOf(first.page).press('Escape');
    const button = first.page.getByRole('button', { name: /^채팅 열기/u });
    await expect(button).toBeFocused();
    await say(second.page, '하나');
    await say(second.page, '둘');
    await expect(button).toHaveAccessibleName('채팅 열기, 새 메시지 2개');
    await button.press('Enter');
    await expect(inputOf(first.page)).toBeFocused();
    await expect(logOf(first.page).getByText('여기까지 읽었어요')).toBeVisible();
    await expectSaid(first.page, '둘');
    await first.page.getByRole('button', { name: '채팅 닫기' }).click();
    await expect(button).toHaveAccessibleName('채팅 열기');
  });

  await test.step('the end stays in view while the window changes, and one message fills at most a part of it', async () => {
    await openChat(first.page);
    await say(second.page, '긴 글 '.repeat(400));
    await say(second.page, `https://example.org/${'a'.repeat(200)}`);
    await expectSaid(first.page, `https://example.org/${'a'.repeat(200)}`);
    await say(first.page, '마지막');
    await expectSaid(first.page, '마지막');
    for (const [width, height] of [
      [360, 740],
      [360, 420],
      [360, 740],
      [768, 900],
      [1280, 800],
    ]) {
      await first.page.setViewportSize({ width: width ?? 0, height: height ?? 0 });
      await expect(saying(first.page, '마지막')).toBeInViewport({ ratio: 1 });
    }
    const log = logOf(first.page);
    expect(await log.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    const more = first.page.getByRole('button', { name: '더 보기' });
    const bubble = log.locator('article').filter({ has: more });
    expect((await bubble.boundingBox())?.height).toBeLessThan(400);
    await more.click();
    await expect(log.getByRole('button', { name: '접기' })).toBeFocused();
  });

  await test.step('an emptied room has no old messages for those who come later', async () => {
    await say(first.page, '우리만 아는 이야기');
    await expectSaid(second.page, '우리만 아는 이야기');
    for (const { page } of [first, second]) {
      await page.getByRole('button', { name: '나가기' }).click();
      await page.waitForURL('/main');
    }
    expect(await enterFromMain(first.page)).toBe(room);
    await openChat(first.page);
    await expect(panelOf(first.page).getByText('아직 조용하네요.')).toBeVisible();
    await expect(saying(first.page, '우리만 아는 이야기')).toHaveCount(0);
  });

  await test.step('a hidden tab stays connected: heart-beats come from a worker', async () => {
    const beats = first.page.waitForEvent('worker', (worker) =>
      worker.url().includes('heart-beat'),
    );
    await first.page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await beats;
    await expect(connectionOf(first.page)).toHaveAttribute('data-chat-connection', 'connected');
  });
});

test('what is written through a bad connection is said once', async ({ newLearner }) => {
  const { first, second, room } = await openRoom(newLearner);

  await test.step('what is written without a connection arrives once, also after a reload', async () => {
    await say(first.page, '연결된 동안');
    await expectSaid(second.page, '연결된 동안');

    await first.page.context().setOffline(true);
    await expect(first.page.getByText('인터넷 연결이 끊겼어요.')).toBeVisible();
    await expect(connectionOf(first.page)).not.toHaveAttribute(
      'data-chat-connection',
      'connected',
      {
        timeout: 1_000,
      },
    );
    await say(first.page, '끊긴 동안 하나');
    await say(first.page, '끊긴 동안 둘');
    await expect(logOf(first.page).locator('[data-outgoing="queued"]')).toHaveCount(2);
    await expectAccessible(first.page);
    await say(second.page, '어디 갔어요?');
    await expectSaid(second.page, '어디 갔어요?');

    await first.page.context().setOffline(false);
    await expectSaid(first.page, '어디 갔어요?');
    for (const text of ['끊긴 동안 하나', '끊긴 동안 둘']) {
      await expectSaid(first.page, text);
      await expectSaid(second.page, text);
    }
    const order = await logOf(second.page).locator('article').allInnerTexts();
    expect(order.findIndex((text) => text.includes('하나'))).toBeLessThan(
      order.findIndex((text) => text.includes('끊긴 동안 둘')),
    );

    // A message that still waits: the tab asks before it is closed, and sends it after the reload.
    await first.page.context().setOffline(true);
    await expect(connectionOf(first.page)).not.toHaveAttribute(
      'data-chat-connection',
      'connected',
      {
        timeout: 30_000,
      },
    );
    await say(first.page, '새로고침 전');
    const question = first.page.waitForEvent('dialog');
    await first.page.evaluate(() => void setTimeout(() => window.location.reload()));
    const dialog = await question;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await first.page.context().setOffline(false);
    await first.page.reload();
    await openChat(first.page);
    await expectSaid(first.page, '새로고침 전');
    await expectSaid(second.page, '새로고침 전');
  });

  const { fault } = await breakableRealtime(first.page);
  await first.page.reload();
  await openChat(first.page);

  await test.step('a message whose receipt was lost is in everybody’s log once', async () => {
    const before = await logOf(second.page).locator('article').count();
    const loseReceipt = () => {
      fault.next = {
        destination: destinations.sendChat,
        isTaken: true,
        lasts: false,
        fail: closed,
      };
    };
    loseReceipt();
    await say(first.page, '확인이 사라진 말');
    await expectSaid(second.page, '확인이 사라진 말');
    loseReceipt();
    await say(first.page, '같은 말');
    await say(first.page, '같은 말');
    for (const { page } of [first, second]) {
      await expect(saying(page, '같은 말')).toHaveCount(2, { timeout: 40_000 });
      await expect(logOf(page).locator('[data-outgoing]')).toHaveCount(0, { timeout: 40_000 });
      await expect(saying(page, '확인이 사라진 말')).toHaveCount(1);
      await expect(logOf(page).locator('article')).toHaveCount(before + 3);
    }
  });

  await test.step('an unsent message survives a log-out, and is sent when its writer is back among the same people', async () => {
    await say(second.page, '우리 모임');
    const { page, account } = first;
    await expectSaid(page, '우리 모임');
    fault.refusals.push(...Array.from({ length: 100 }, () => closed));
    fault.next = { destination: destinations.sendChat, isTaken: false, lasts: true, fail: closed };
    await say(page, '못 보낸 말');
    await expect(connectionOf(page)).not.toHaveAttribute('data-chat-connection', 'connected');
    await expect(logOf(page).locator('[data-outgoing="queued"]')).toHaveCount(1);

    await page.getByRole('banner').getByRole('button', { name: account.nickname }).click();
    await page.getByRole('menuitem', { name: '로그아웃' }).click();
    await page.getByRole('button', { name: '마치고 로그아웃' }).click();
    await page.waitForURL('/login');
    await page.goto('/email-login');
    await logInByForm(page, account);
    await page.waitForURL('/main');
    fault.refusals.length = 0;
    fault.next = null;
    expect(await enterFromMain(page)).toBe(room);
    await openChat(page);
    await expectSaid(page, '못 보낸 말');
    await expectSaid(second.page, '못 보낸 말');
  });
});

test('a learner is blocked in the chat, then on the tile', async ({ newLearner }) => {
  const { first, second } = await openRoom(newLearner);

  await test.step('a blocked learner is neither read nor seen, until unblocked', async () => {
    await say(second.page, '첫마디');
    await say(second.page, '두 번째');
    await expectSaid(first.page, '두 번째');
    await expect(tileOf(first.page, second.account).locator('video')).toBeVisible();

    const name = second.account.nickname;
    const menuButton = panelOf(first.page).getByRole('button', { name: `${name} 메뉴` });
    await menuButton.first().click();
    await expectAccessible(first.page);
    await first.page.getByRole('menuitem', { name: '차단하기' }).click();
    await first.page.getByRole('alertdialog').getByRole('button', { name: '차단하기' }).click();
    await expect(saying(first.page, PLACEHOLDER)).toHaveCount(1);
    await expect(saying(first.page, '첫마디')).toHaveCount(0);
    await expect(tileOf(first.page, second.account).locator('video')).toHaveCount(0);
    await say(second.page, '들리나요');
    await expectSaid(second.page, '들리나요');
    await say(first.page, '조용하네요');
    await expectSaid(first.page, '조용하네요');
    await expect(saying(first.page, '들리나요')).toHaveCount(0);
    await expect(saying(first.page, PLACEHOLDER)).toHaveCount(1);

    await first.page.reload();
    await openChat(first.page);
    await expect(saying(first.page, PLACEHOLDER)).toHaveCount(1);
    await saying(first.page, PLACEHOLDER).click();
    await first.page.getByRole('menuitem', { name: '차단 해제' }).click();
    await expectSaid(first.page, '들리나요');
    await expect(tileOf(first.page, second.account).locator('video')).toBeVisible();
  });

  await test.step('the two sides of a block see nothing of each other, until the block is undone', async () => {
    await say(first.page, '차단 전');
    await expectSaid(second.page, '차단 전');
    await expect(tileOf(second.page, first.account).locator('video')).toBeVisible();
    const theirTile = tileOf(first.page, second.account);
    await expect(theirTile.locator('video')).toBeVisible();

    await theirTile.getByRole('button', { name: `${second.account.nickname} 메뉴` }).click();
    await first.page.getByRole('menuitem', { name: '차단하기' }).click();
    const question = first.page.getByRole('alertdialog', {
      name: `${second.account.nickname}님을 차단할까요?`,
    });
    await expect(question).toContainText('서로의 화면, 이름, 타이머, 채팅이 보이지 않아요.');
    await expectAccessible(first.page);
    await question.getByRole('button', { name: '차단하기' }).click();

    await expect(tileOf(second.page, first.account)).toHaveCount(0);
    await expect(saying(second.page, '차단 전')).toHaveCount(0);
    await expect(theirTile).toHaveCount(0);
    const grid = first.page.getByTestId('participant-grid');
    await expect(grid).not.toContainText(second.account.nickname);
    await expect(second.page.getByRole('button', { name: '1명', exact: true })).toBeVisible();
    await expect(first.page.getByRole('button', { name: '2명', exact: true })).toBeVisible();
    await expectAccessible(first.page);

    await first.page.getByRole('button', { name: '되돌리기' }).click();
    await expectSaid(second.page, '차단 전');
    await expect(tileOf(second.page, first.account).locator('video')).toBeVisible();
    await expect(theirTile.locator('video')).toBeVisible();
    await expect(theirTile).toContainText(second.account.nickname);
  });
});

test('the panel of the chat fits beside other panels, and keeps a draft', async ({
  newLearner,
}) => {
  const { page } = await newLearner();
  await enterFromMain(page);

  await test.step('where a panel would cover the chat, a press on the button of the chat closes the panel', async () => {
    const desk = page.getByRole('region', { name: '내 책상' });
    for (const width of [360, 640, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole('button', { name: '내 책상' }).click();
      await expect(desk).toBeVisible();
      await page.getByRole('button', { name: /^채팅 열기/u }).click();
      await expect(desk).toBeHidden();
      await expect(inputOf(page)).toBeFocused();
      // Where both cover the tiles, the panel closes the chat.
      await page.getByRole('button', { name: '내 책상' }).click();
      if (width < 1024) await expect(panelOf(page)).toBeHidden();
      await page.getByRole('button', { name: /^(?:채팅 열기|스터디룸 채팅)/u }).click();
      await expect(desk).toBeHidden();
      await expect(panelOf(page)).toBeVisible();
      await panelOf(page).getByRole('button', { name: '채팅 닫기' }).click();
    }
  });

  await test.step('the panel is 360 px wide, and as wide as the window on phones, where none of the tiles behind it is reached', async () => {
    await openChat(page);
    for (const [width, panelWidth] of [
      [2560, 360],
      [1280, 360],
      [768, 360],
      [500, 360],
      [430, 430],
      [360, 360],
    ] as const) {
      await page.setViewportSize({ width, height: 740 });
      const widthOf = async () => Math.round((await panelOf(page).boundingBox())?.width ?? 0);
      // A border of the panel is not of the page in it.
      await expect.poll(widthOf).toBeGreaterThanOrEqual(panelWidth - 2);
      expect(await widthOf()).toBeLessThanOrEqual(panelWidth);
    }
    await expect(panelOf(page)).toBeInViewport({ ratio: 1 });
    await expectAccessible(page);
    const enlarge = page.locator('[data-enlarge]');
    const isReached = () =>
      enlarge.evaluate((button: HTMLButtonElement) => {
        button.focus();
        return document.activeElement === button;
      });
    await inputOf(page).focus();
    expect(await isReached()).toBe(false);
    for (let press = 0; press < 12; press += 1) {
      await page.keyboard.press('Tab');
      const isOutside = await page.evaluate(
        () =>
          document.activeElement?.closest('main, header') !== null &&
          document.activeElement?.closest('section, [data-bar]') === null,
      );
      expect(isOutside).toBe(false);
    }
    await page.setViewportSize({ width: 768, height: 740 });
    await expect.poll(isReached).toBe(true);
    const areCovered = async () => {
      const { x = 0 } = (await panelOf(page).boundingBox()) ?? {};
      const boxes = await Promise.all(
        (await page.locator('.tile').all()).map((tile) => tile.boundingBox()),
      );
      return boxes.some((box) => (box?.x ?? 0) + (box?.width ?? 0) > x);
    };
    await expect.poll(areCovered).toBe(false);
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(isReached).toBe(false);
    await panelOf(page).getByRole('button', { name: '채팅 닫기' }).click();
    await expect(page.getByRole('button', { name: /^채팅 열기/u })).toBeFocused();
    expect(await isReached()).toBe(true);
  });

  await test.step('a draft survives the move to another tab, a reload and another page', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await openChat(page);
    await inputOf(page).fill('쓰다 만 말');
    const otherTab = await page.context().newPage();
    await otherTab.goto(page.url());
    await passCameraCheck(otherTab);
    const unsent = page.getByRole('region', { name: '보내지 못한 메시지' });
    await expect(unsent).toContainText('쓰다 만 말');
    await page.getByRole('button', { name: '여기서 사용하기' }).click();
    await openChat(page);
    await expect(inputOf(page)).toHaveValue('쓰다 만 말');
    await otherTab.close();

    await page.reload();
    await openChat(page);
    await expect(inputOf(page)).toHaveValue('쓰다 만 말');
    await page.getByRole('button', { name: '나가기' }).click();
    await page.waitForURL('/main');
    await enterFromMain(page);
    await openChat(page);
    await expect(inputOf(page)).toHaveValue('쓰다 만 말');
  });
});

test('older messages come when one scrolls up, and what one reads stays in its place', async ({
  newLearner,
}) => {
  // Seventy messages, each typed and drawn on two pages, take more than a minute beside another journey.
  const { first, second } = await openRoom(newLearner);
  for (let number = 1; number <= 70; number += 1) {
    await say(second.page, `줄 ${number}`);
    // Ten at a time: fewer than the frames that a connection may send at once.
    if (number % 10 === 0) await expectSaid(second.page, `줄 ${number}`);
  }
  await first.page.reload();
  await openChat(first.page);
  await expectSaid(first.page, '줄 70');
  await expect(saying(first.page, '줄 20')).toHaveCount(0);

  // In the log: what stands above the chat may come or go.
  const topOf = (text: string, scrollTo?: number) =>
    saying(first.page, text).evaluate((bubble, scrollTop) => {
      const log = bubble.closest('[role="log"]');
      if (log === null) throw new Error('no log');
      if (scrollTop !== undefined) log.scrollTop = scrollTop;
      return bubble.getBoundingClientRect().top - log.getBoundingClientRect().top;
    }, scrollTo);
  // Both in one turn: the older page is under way right after it.
  const topBefore = await topOf('줄 26', 200);
  await expect(logOf(first.page).getByRole('button', { name: '이전 메시지 보기' })).toHaveCount(0);
  await expect(saying(first.page, '줄 1')).toHaveCount(1);
  expect(Math.abs((await topOf('줄 26')) - topBefore)).toBeLessThan(4);

  await say(second.page, '맨 아래');
  const toNewest = panelOf(first.page).getByRole('button', { name: '새 메시지 1개' });
  await expect(toNewest).toBeVisible();
  await toNewest.click();
  await expect(inputOf(first.page)).toBeFocused();
  await expect(saying(first.page, '맨 아래')).toBeInViewport();
  // The browser's own search finds what is scrolled away.
  await expect(saying(first.page, '줄 13')).not.toBeInViewport();
  expect(await first.page.evaluate("find('줄 13', true, true, true)")).toBe(true);
});

test('at 500 messages what one reads stays in its place, whatever is dropped above it', async ({
  newLearner,
}) => {
  const { page } = await newLearner();
  await watchChatSocket(page);
  const roomId = await enterFromMain(page);
  await page.reload();
  await openChat(page);
  await say(page, '첫마디');
  await expectSaid(page, '첫마디');
  const id = await logOf(page).locator('article').getAttribute('data-message-id');
  const epoch = Number(id?.split('-')[1]);
  await deliverMessages(page, { roomId, epoch, from: 2, count: 509 });
  const last = (number: number) =>
    logOf(page).locator(`[data-message-id="${roomId}-${epoch}-${number}"]`);
  await expect(last(510)).toBeInViewport();

  // Five messages restyle about 180 elements when drawn together, not the 1,000 that the room shows.
  const restyled = await mostRestyled(page, () =>
    deliverMessages(page, { roomId, epoch, from: 511, count: 5, perSecond: 10 }),
  );
  expect(restyled).toBeGreaterThan(0);
  expect(restyled).toBeLessThan(400);

  let from = 516;
  for (const share of [0.5, 0.05]) {
    const log = logOf(page);
    await log.evaluate((list, part) => {
      list.scrollTop = list.scrollHeight * part;
    }, share);
    // Until the rows around what is seen are drawn.
    let before = await readAt(page);
    await expect(async () => {
      const earlier = before;
      before = await readAt(page);
      expect(before).not.toBeNull();
      expect(before).toEqual(earlier);
    }).toPass();
    await deliverMessages(page, { roomId, epoch, from, count: 15, perSecond: 50 });
    from += 15;
    const unread = page.getByRole('button', { name: `새 메시지 ${from - 516}개` });
    await expect(unread).toBeVisible();
    const topPx = await last(before?.number ?? 0).evaluate(topInLog);
    expect(Math.abs(topPx - (before?.topPx ?? 0))).toBeLessThan(2);
  }

  // The search of the browser finds what is far out of sight.
  await page.getByRole('button', { name: /^새 메시지/u }).click();
  await expect(last(from - 1)).toBeInViewport();
  await expect(last(100)).not.toBeInViewport();
  expect(await page.evaluate("find('100번째 메시지입니다.', false, true)")).toBe(true);
  // A script's search selects and does not scroll.
  await page.evaluate('getSelection().anchorNode.parentElement.scrollIntoView()');
  await expect(last(100)).toBeInViewport();
});

/** The most elements whose style was computed anew at once while something happened. */
async function mostRestyled(page: Page, work: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser();
  await browser?.startTracing(page, { categories: ['devtools.timeline'] });
  await work();
  const { traceEvents } = JSON.parse(String(await browser?.stopTracing()));
  return Math.max(
    ...traceEvents.map(
      (event: { args: { elementCount?: number } }) => event.args.elementCount ?? 0,
    ),
  );
}

/** A message in the middle of the visible log, and its position; null while there is none. */
function readAt(page: Page): Promise<{ number: number; topPx: number } | null> {
  return logOf(page).evaluate(async (log) => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let frame = 0; frame < 3; frame += 1) await nextFrame();
    const { top, height } = log.getBoundingClientRect();
    const isSeen = (article: Element) => {
      const box = article.getBoundingClientRect();
      return box.top > top + height / 3 && box.bottom < top + height;
    };
    const article = [...log.querySelectorAll('article')].find(isSeen);
    if (article === undefined) return null;
    const number = Number(article.dataset.messageId?.split('-')[2]);
    return { number, topPx: article.getBoundingClientRect().top - top };
  });
}

const topInLog = (article: Element) => {
  const log = article.closest('[role="log"]');
  if (log === null) throw new Error('the message is in no log');
  return article.getBoundingClientRect().top - log.getBoundingClientRect().top;
};

test('developer pages try the chat without a server, and show how the API is doing', async ({
  newVisitor,
}) => {
  const page = await newVisitor();
  // The conversation in memory is of the last nine minutes: shortly after midnight a day would begin in it.
  await page.clock.setSystemTime(new Date('2026-03-02T12:00:00+09:00'));
  await page.goto('/test-page');
  await page.getByLabel('방 번호').fill('12');
  await page.getByRole('button', { name: '시작' }).click();
  await expect(page.getByRole('heading', { name: '스터디룸 채팅 (12번 방)' })).toBeVisible();
  await expect(panelOf(page).getByText('Mock', { exact: true })).toBeVisible();
  await say(page, '메모리에서');
  await expectSaid(page, '메모리에서');

  await page.getByRole('link', { name: '차단 테스트' }).click();
  await expect(saying(page, PLACEHOLDER)).toHaveCount(1);
  await saying(page, PLACEHOLDER).click();
  await page.getByRole('menuitem', { name: '차단 해제' }).click();
  await expect(saying(page, PLACEHOLDER)).toHaveCount(0);

  await page.getByRole('link', { name: 'API 상태' }).click();
  const ready = page.getByRole('row', { name: /\/readyz/u });
  await expect(ready).toContainText('200');
  await expect(page.getByRole('listitem').filter({ hasText: 'database' })).toContainText('up');
});

test('real mode of the chat test takes a seat and talks to the server', async ({ newLearner }) => {
  const [{ page, account }, other] = await Promise.all([newLearner(), newLearner()]);
  const room = await enterFromMain(other.page);
  await openChat(other.page);
  await page.goto('/message-test');
  await page.getByLabel('실제: 방에 자리를 잡고 서버와').check();
  await page.getByLabel('방 번호').fill(String(room));
  await page.getByRole('button', { name: '시작' }).click();
  await expect(connectionOf(page)).toHaveAttribute('data-chat-connection', 'connected');
  await expect(tileOf(other.page, account)).toHaveAttribute('data-tile-view', 'connecting');
  await say(page, '시험 중입니다');
  await expectSaid(other.page, '시험 중입니다');
  await page.getByRole('button', { name: '끝내기' }).click();
  await expect(tileOf(other.page, account)).toHaveCount(0);
});
