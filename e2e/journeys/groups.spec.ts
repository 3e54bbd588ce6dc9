import {
  addGroupSession,
  answerGroupRequest,
  DAY_MS,
  editGroup,
  getGroup,
  getGroupSessions,
  joinGroup,
  MINUTE_MS,
} from '@mogakgong/contract';
import type { Page } from '@playwright/test';
import { expectAccessible, expectGood, inBothThemes } from '../support/accessibility.ts';
import {
  type Account,
  callAs,
  createAccount,
  expect,
  LIGHT_PATH,
  logInDetails,
  logInHere,
  passCameraCheck,
  test,
} from '../support/journey.ts';
import { endSession, lengthenMembership, writeHistory } from '../support/study-history.ts';

const ZONE = 'Asia/Seoul';

/** A calendar day of the groups' zone, so many days ago. */
const dayAgo = (days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, dateStyle: 'short' }).format(
    Date.now() - days * DAY_MS,
  );
/** A time of day of that zone, so many minutes from now. */
const timeIn = (minutes: number) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, timeStyle: 'short' }).format(
    Date.now() + minutes * MINUTE_MS,
  );

/** The same in minutes after midnight. */
function minuteIn(minutes: number): number {
  const [hour = 0, minute = 0] = timeIn(minutes).split(':').map(Number);
  return hour * 60 + minute;
}

/** Makes a group whose leader answers requests; its number. */
async function makeGroup(page: Page, name: string): Promise<number> {
  await page.getByRole('banner').getByRole('link', { name: '그룹' }).click();
  await expect(page.getByText('아직 함께하는 그룹이 없어요')).toBeVisible();
  await page.getByRole('button', { name: '그룹 만들기' }).click();
  const dialog = page.getByRole('dialog', { name: '그룹 만들기' });
  await dialog.getByLabel('그룹 이름').fill(name);
  await dialog.getByLabel('분야').selectOption({ label: '수능' });
  await dialog.getByLabel('함께 이룰 목표 (선택)').fill('하루 30분부터');
  await dialog.getByText('토', { exact: true }).click();
  await dialog.getByText('일', { exact: true }).click();
  await dialog.getByLabel('하루에').selectOption('30');
  await dialog.getByText('가입 요청을 그룹장이 수락해야 해요').click();
  await inBothThemes(page, expectAccessible);
  await dialog.getByRole('button', { name: '그룹 만들기' }).click();
  await page.waitForURL(/\/groups\/\d+$/u);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  return Number(new URL(page.url()).pathname.split('/').at(-1));
}

/** The day's cell of a member in the table of attendance. */
async function attendanceOn(page: Page, account: Account, day: string) {
  const table = page.getByRole('table');
  const row = table.getByRole('row').filter({ hasText: account.nickname });
  return row.getByRole('cell').nth(Number(day.slice(8)) - 1);
}

/** A week may have begun in another month. */
async function showMonthOf(page: Page, month: string): Promise<void> {
  if (!dayAgo(0).startsWith(month)) await page.getByRole('button', { name: '이전 달' }).click();
}

/** Minutes as the table writes them. */
function hoursText(minutes: number): string {
  const parts = [
    [Math.floor(minutes / 60), '시간'],
    [minutes % 60, '분'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ');
}

test('a group from making to the table of its first week, with three learners', async ({
  newLearner,
  newVisitor,
  stack,
}) => {
  const { page: leaderPage, account: leader } = await newLearner();
  const { page, account: member } = await newLearner();
  const third = await createAccount();
  const name = `새벽 모임 ${leader.nickname.slice(-4)}`;
  const groupId = await makeGroup(leaderPage, name);

  await test.step('others ask by the link, once they have agreed to what members see', async () => {
    const link = await leaderPage.getByLabel('초대 링크').inputValue();
    await page.goto(link);
    await expect(page.getByText(name)).toBeVisible();
    await page.getByRole('button', { name: '가입 요청하기' }).click();
    await expect(page.getByText('동의해야 가입할 수 있어요.')).toBeVisible();
    await page.getByRole('checkbox', { name: /동의해요/u }).check();
    await expectGood(page);
    await page.getByRole('button', { name: '가입 요청하기' }).click();
    await expect(page.getByText('그룹장의 답을 기다리고 있어요')).toBeVisible();
    await callAs(third, joinGroup, { params: { groupId }, body: { agrees: true } });
    await leaderPage.reload();
    await leaderPage.getByRole('button', { name: `${member.nickname}님의 가입 요청 수락` }).click();
    await expect(leaderPage.getByText(`${member.nickname}님이 그룹에 들어왔어요.`)).toBeVisible();
    await callAs(leader, answerGroupRequest, {
      params: { groupId, askerId: third.userId },
      body: { isAccepted: true },
    });
  });

  await test.step('a member enters the room that stays, and the others see it', async () => {
    await page.goto(`/groups/${groupId}`);
    await page.getByRole('link', { name: '그룹 방 들어가기' }).click();
    await passCameraCheck(page);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    const choices = await callAs(leader, getGroup, { params: { groupId } });
    for (const newName of [`${name} 2`, name]) {
      await callAs(leader, editGroup, { params: { groupId }, body: { ...choices, name: newName } });
      await expect(
        page.getByRole('heading', { level: 1, name: newName, exact: true }),
      ).toBeVisible();
    }
    await page.getByRole('button', { name: /^방 정보/u }).click();
    await expectAccessible(page);
    // Until the learner's own groups are loaded it leads to all groups.
    const link = page.getByRole('link', { name: '그룹 페이지로' });
    await expect(link).toHaveAttribute('href', `/groups/${groupId}`);
    await link.click();
    await page.waitForURL(`/groups/${groupId}`);
    await leaderPage.reload();
    const members = leaderPage.getByRole('region', { name: '멤버' });
    await expect(members.getByRole('listitem').filter({ hasText: member.nickname })).toContainText(
      '그룹 방',
    );
    await expect(members.getByRole('listitem').filter({ hasText: third.nickname })).toContainText(
      '방에 없음',
    );
  });

  await test.step('a session that a member comes to reminds them', async () => {
    await leaderPage.getByRole('button', { name: '시간 정하기' }).click();
    const dialog = leaderPage.getByRole('dialog', { name: '시간 정하기' });
    await dialog.getByLabel('시작').fill(timeIn(6));
    await dialog.getByLabel('끝').fill(timeIn(60));
    await expectAccessible(leaderPage);
    await dialog.getByRole('button', { name: '정하기' }).click();
    await expect(leaderPage.getByText('모이는 시간을 정했어요.')).toBeVisible();
    await page.reload();
    const sessions = page.getByRole('region', { name: '함께 모이는 시간' });
    await sessions
      .getByRole('button', { name: /갈게요/u })
      .first()
      .click();
    await expect(sessions.getByRole('button', { pressed: true })).toBeVisible();
    await expect(page.getByText(`‘${name}’ 모임이 곧 시작해요.`)).toBeVisible({ timeout: 60_000 });
  });

  await test.step('a member who sits in the room while a session takes place has come', async () => {
    const params = { groupId };
    const days = [1, 2, 3, 4, 5, 6, 7];
    const body = { days, fromMinute: minuteIn(-5), untilMinute: minuteIn(60) };
    const { sessionId } = await callAs(leader, addGroupSession, { params, body });
    const present = async () => {
      const { sessions } = await callAs(leader, getGroupSessions, { params });
      return sessions.find((each) => each.sessionId === sessionId)?.next[0]?.presentIds;
    };
    await expect.poll(present, { timeout: 30_000 }).toEqual([member.userId]);
    await endSession(stack.dataDir, sessionId, minuteIn(-1));
    await leaderPage.reload();
    const sessions = leaderPage.getByRole('region', { name: '함께 모이는 시간' });
    await sessions.getByText('지난 모임').click();
    await expect(sessions.getByText('1명이 왔어요')).toBeVisible();
    await expectGood(leaderPage);
  });

  await test.step('a nudge and the next session wait on /main for a member who was not there', async () => {
    await leaderPage.getByRole('button', { name: `${third.nickname}님 콕 찌르기` }).click();
    await expect(leaderPage.getByText(`${third.nickname}님을 콕 찔렀어요.`)).toBeVisible();
    const thirdPage = await newVisitor();
    await thirdPage.goto(LIGHT_PATH);
    await thirdPage.evaluate(logInHere, logInDetails(third));
    await thirdPage.goto('/main');
    const news = thirdPage.getByText(`${leader.nickname}님이 기다리고 있어요`);
    await expect(news).toBeVisible();
    const own = thirdPage.getByRole('region', { name: '스터디 그룹' });
    const coming = own.getByRole('button', { name: /갈게요$/u });
    await coming.focus();
    await thirdPage.keyboard.press('Enter');
    await expect(coming).toHaveAttribute('aria-pressed', 'true');
    await expect(own.getByText('2명이 와요')).toBeVisible();
    await inBothThemes(thirdPage, expectGood);
    await coming.click();
    await expect(coming).toHaveAttribute('aria-pressed', 'false');
    await expect(own.getByText('1명이 와요')).toBeVisible();
    await news.click();
    await thirdPage.waitForURL(`/groups/${groupId}`);
    await expect(news).toBeVisible();
    await inBothThemes(thirdPage, expectGood);
  });

  await test.step('the table has a week of days, each judged by the rule, and their sums', async () => {
    /** Minutes of focus by days ago, since the day after they joined. */
    const week: ReadonlyMap<number, number> = new Map(
      [30, 45, 40, 0, 20, 30].map((minutes, index) => [index + 1, minutes]),
    );
    const visits = [...week].map(([days, minutes]) => ({
      beganAt: new Date(`${dayAgo(days)}T10:00:00+09:00`),
      intervals: [{ status: 'focus' as const, minutes }],
    }));
    await writeHistory(
      stack.dataDir,
      leader.userId,
      visits.filter(({ intervals: [one] }) => one?.minutes),
    );
    await writeHistory(stack.dataDir, member.userId, [
      {
        beganAt: new Date(`${dayAgo(1)}T10:00:00+09:00`),
        intervals: [{ status: 'focus', minutes: 10 }],
      },
    ]);
    // Days that are over are judged once.
    await lengthenMembership(stack.dataDir, groupId, 7);
    await leaderPage.reload();
    const headOf = (account: Account) =>
      leaderPage.getByRole('rowheader').filter({ hasText: account.nickname });
    const months = [...week.keys()].map((days) => dayAgo(days).slice(0, 7));
    for (const month of new Set(months)) {
      await showMonthOf(leaderPage, month);
      const days = [...week].filter(([ago]) => dayAgo(ago).startsWith(month));
      for (const [ago, minutes] of days) {
        const status = minutes >= 30 ? '지켰어요' : minutes > 0 ? '일부만' : '빠졌어요';
        const text = minutes > 0 ? `${status}, ${minutes}분` : status;
        const day = dayAgo(ago);
        await expect(await attendanceOn(leaderPage, leader, day)).toHaveText(text);
        await expect(await attendanceOn(leaderPage, third, day)).toHaveText('빠졌어요');
      }
      const kept = days.filter(([, minutes]) => minutes >= 30).length;
      const sum = days.reduce((all, [, minutes]) => all + minutes, 0);
      await expect(headOf(leader)).toContainText(
        `${kept}/${days.length}일연속 3일${hoursText(sum)}`,
      );
      await expect(headOf(third)).toContainText(`0/${days.length}일`);
      await inBothThemes(leaderPage, expectGood);
      if (month === dayAgo(1).slice(0, 7))
        await expect(await attendanceOn(leaderPage, member, dayAgo(1))).toHaveText('일부만, 10분');
    }
  });

  await test.step('a day is excused before it begins, and the group left', async () => {
    await page.getByRole('button', { name: '쉬는 날 알리기' }).click();
    const dialog = page.getByRole('dialog', { name: '쉬는 날 알리기' });
    await dialog.getByRole('button', { name: '알리기' }).click();
    await expect(dialog.getByRole('button', { name: /쉬는 날 되돌리기/u })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '그룹 나가기' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '그룹 나가기' }).click();
    await page.waitForURL('/groups');
    await expect(page.getByText('아직 함께하는 그룹이 없어요')).toBeVisible();
    await inBothThemes(page, expectGood);
  });
});
