import { parseArgs } from 'node:util';
import {
  acceptFriend,
  addSubject,
  askByFriendLink,
  createReport,
  DAY_MS,
  getHostView,
  getOwnTitles,
  openHostedRoom,
  putGoal,
  putLeaderboardSetting,
  type RoomPlan,
  renewFriendLink,
} from '@mogakgong/contract';
import type { Browser, Page } from '@playwright/test';
import { builtFile } from '../../e2e/support/built-file.ts';
import {
  type Account,
  callAs,
  createAccount,
  enterByApi,
  enterFromMain,
  LIGHT_PATH,
  logInByForm,
  logInDetails,
  logInHere,
  PASSWORD,
  passCameraCheck,
} from '../../e2e/support/journey.ts';
import { createModerator, reportAndDecide } from '../../e2e/support/moderation.ts';
import { lengthenVisit, type PastVisit, writeHistory } from '../../e2e/support/study-history.ts';
import type { RunningStack } from '../../test/running-stack.ts';
import { Album, resize, THEMES, WIDTHS, wear } from './taking.ts';

/**
 * Pictures of every page to look at, in its states: in Korean in four widths and both themes, in English
 * in two widths. Visits, titles, rooms and reports are real rows of a fresh database.
 *
 *     npm run pictures:pages -- [--parts open,new,week,old,friends,lost,moderation,offline] [--out FOLDER]
 */
const { values: options } = parseArgs({
  options: {
    parts: { type: 'string', default: 'open,new,week,old,friends,lost,moderation,offline' },
    out: { type: 'string', default: 'test-results/pictures-pages' },
  },
});
const ENGLISH_WIDTHS = [360, 1280];
const album = new Album(options.out, { settleMs: 350, fullPage: true });

/** The page as it is now, in every width, theme and language. */
async function takePage(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await resize(page, width);
    for (const theme of THEMES) {
      await wear(page, theme);
      await album.take(page, `${name}-${width}-${theme}`);
    }
  }
  if ((await page.locator(`button[data-language], ${MENU}`).count()) === 0) return;
  await speak(page, 'en');
  for (const width of ENGLISH_WIDTHS) {
    await resize(page, width);
    await wear(page, 'light');
    await album.take(page, `${name}-${width}-en`);
  }
  await resize(page, 1280);
  await speak(page, 'ko');
}

/** The learner's menu. */
const MENU = 'header:has(nav) button[aria-haspopup="menu"]';

/** As header or menu do, also below a dialog; a prerendered page loads again for it. */
async function speak(page: Page, language: string): Promise<void> {
  const menu = page.locator(MENU);
  if ((await menu.count()) > 0) await menu.dispatchEvent('click');
  await page
    .locator(`button[data-language="${language}"], [role="menuitem"][lang="${language}"]`)
    .dispatchEvent('click');
  await page.locator(`html[lang="${language}"]`).waitFor();
  await page.waitForLoadState();
}

interface Visit {
  readonly browser: Browser;
  readonly stack: RunningStack;
}

async function openPage({ browser, stack }: Visit, account?: Account): Promise<Page> {
  const context = await browser.newContext({
    locale: 'ko-KR',
    timezoneId: 'Asia/Seoul',
    baseURL: stack.url,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  if (account) {
    await page.goto(LIGHT_PATH);
    await page.evaluate(logInHere, logInDetails(account));
  }
  return page;
}

/** Opens an address, and takes it once `proof` is there: a text, or its heading. */
async function takeAt(page: Page, path: string, name: string, proof?: string): Promise<void> {
  await page.goto(path);
  const shown =
    proof === undefined ? page.getByRole('heading', { level: 1 }) : page.getByText(proof);
  await shown.first().waitFor();
  await page.waitForFunction(() => document.querySelector('.animate-spin') === null);
  await takePage(page, name);
}

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click();

/** What a visitor without an account meets. */
async function takeOpenPages(visit: Visit): Promise<void> {
  const page = await openPage(visit);
  for (const [path, name] of [
    ['/', 'landing'],
    ['/login', 'login'],
    ['/login?next=%2Fmain', 'login-needed'],
    ['/email-login', 'email-login'],
    ['/join', 'join'],
    ['/password-reset', 'password-reset'],
    ['/email-change#token=a', 'email-change'],
    ['/auth/failure?error=access_denied', 'auth-failure'],
    ['/support', 'support'],
    ['/diagnostics', 'diagnostics-visitor'],
    ['/terms', 'terms'],
    ['/privacy', 'privacy'],
    ['/invite', 'invite-none'],
    ['/nowhere', 'not-found'],
  ] as const) {
    await takeAt(page, path, name);
  }
  await page.goto('/email-login');
  await page.getByLabel('이메일', { exact: true }).fill('nobody@example.org');
  await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').first().waitFor();
  await takePage(page, 'email-login-wrong');
  await page.goto('/join');
  await page.getByLabel('이메일', { exact: true }).fill('not an address');
  await page.getByLabel('비밀번호', { exact: true }).fill('short');
  await press(page, '가입하기');
  await takePage(page, 'join-wrong');
  await page.goto('/password-reset');
  await page.getByLabel('이메일', { exact: true }).fill('nobody@example.org');
  await page.keyboard.press('Enter');
  await page.getByText('메일을 보낼 수 없어요.').waitFor();
  await takePage(page, 'password-reset-sent');
  await page.goto('/login');
  await page.getByRole('link', { name: /^네이버로 로그인/u }).click();
  await page.getByLabel('이름').fill('봄날의공부');
  await press(page, '동의하고 계속하기');
  await page.waitForURL(/\/signup\/extra-info/u);
  await takePage(page, 'extra-info');
}

/** What a learner meets on the first day. */
async function takeNewLearner(visit: Visit): Promise<void> {
  const page = await openPage(visit, await createAccount('하늘'));
  for (const [path, name] of [
    ['/main', 'main-new'],
    ['/statistics', 'statistics-new'],
    ['/mypage', 'mypage-new'],
    ['/settings/privacy', 'settings-new'],
    ['/studyroom/99999', 'room-unknown'],
  ] as const) {
    await takeAt(page, path, name);
  }
  await page.goto('/diagnostics');
  await takePage(page, 'diagnostics');
  await press(page, '점검 시작');
  await page.locator('[data-state="running"]').waitFor();
  await album.take(page, 'diagnostics-running-1280');
  await page.getByRole('button', { name: /다시/u }).waitFor({ timeout: 60_000 });
  await takePage(page, 'diagnostics-done');
  await page.route(`**${builtFile('pages/statistics/statistics-page.tsx')}`, (route) =>
    route.abort(),
  );
  await takeAt(page, '/statistics', 'page-failed', '불러오지 못했어요');
  await page.unrouteAll();
  await page.route('**/api/**', (route) => route.abort());
  for (const path of ['/main', '/statistics', '/mypage']) {
    await takeAt(page, path, `api-failed-${path.slice(1)}`);
  }
}

/** What a learner of three days meets, who has subjects: the card to share, the camera check, the room. */
async function takeFirstWeek(visit: Visit): Promise<void> {
  const account = await createAccount('은하');
  const names = ['수학', '영어 단어', '한국사능력검정시험 심화 기출'];
  const subjectIds: (number | undefined)[] = [];
  for (const name of names) {
    const { subjects } = await callAs(account, addSubject, { body: { name } });
    subjectIds.push(subjects.at(-1)?.id);
  }
  const visits = [2, 1, 0].map((day) => ({
    beganAt: new Date(Date.now() - day * DAY_MS - 150 * 60_000),
    intervals: [...subjectIds, undefined].map((subjectId, index) => ({
      status: 'focus' as const,
      minutes: 55 - 16 * index,
      subjectId,
    })),
  }));
  await writeHistory(visit.stack.dataDir, account.userId, visits);
  const page = await openPage(visit, account);
  await takeAt(page, '/main', 'main-week');
  await takeAt(page, '/statistics', 'statistics-week', '한국사능력검정시험 심화 기출');
  const subjects = page.getByRole('region', { name: '과목별 집중 시간', exact: true });
  await subjects.getByText('7일').click();
  await takePage(page, 'statistics-week-subjects');
  await page.getByRole('button', { name: '공유 카드' }).click();
  await page.getByRole('img', { name: /^공유 카드/u }).waitFor();
  album.isFullPage = false;
  await takePage(page, 'share-card');
  await page.goto('/main');
  await press(page, '스터디룸 입장하기');
  await page.getByRole('dialog').getByRole('button', { name: '영어 단어' }).waitFor();
  await takePage(page, 'enter-subjects');
  album.isFullPage = true;
  await passCameraCheck(page);
  await page.waitForURL(/\/studyroom\//u);
  for (const path of ['statistics', 'friends', 'settings']) {
    await page.evaluate((to) => history.pushState(null, '', to), `/${path}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await takePage(page, `seated-${path}`);
  }
}

/** The page of friends: none, some, requests, the leaderboard; and opened links. */
async function takeFriends(visit: Visit): Promise<void> {
  const account = await createAccount('수빈');
  const page = await openPage(visit, account);
  await takeAt(page, '/friends', 'friends-none', '아직 친구가 없어요');
  const { link } = await callAs(account, renewFriendLink);
  await takeAt(page, `/friends/link#${link}`, 'friend-link-own');
  const friends = [];
  for (const name of [
    '가온',
    '일찍자는올빼미',
    '도서관맨끝자리의주인입니다',
    'eunji_0412',
    '다은',
  ]) {
    const friend = await createAccount(name);
    await callAs(friend, askByFriendLink, { body: { link } });
    friends.push(friend);
  }
  const [gaon, owl, keeper] = friends as [Account, Account, Account];
  for (const { userId: friendId } of [gaon, owl, keeper]) {
    await callAs(account, acceptFriend, { params: { friendId } });
  }
  const asked = await createAccount('태오');
  const { link: other } = await callAs(asked, renewFriendLink);
  const visitor = await openPage(visit);
  await takeAt(visitor, `/friends/link#${other}`, 'friend-link-visitor');
  await takeAt(page, `/friends/link#${other}`, 'friend-link', '태오');
  await callAs(account, askByFriendLink, { body: { link: other } });
  await takeAt(page, '/friends', 'friends', '켜고 보기');
  let minutes = 130;
  for (const friend of [account, gaon, owl, keeper]) {
    const beganAt = new Date(Date.now() - (minutes + 5) * 60_000);
    const intervals = [{ status: 'focus' as const, minutes }];
    await writeHistory(visit.stack.dataDir, friend.userId, [{ beganAt, intervals }]);
    await callAs(friend, putLeaderboardSetting, { body: { isOn: true } });
    minutes -= 37;
  }
  await takeAt(page, '/friends', 'friends-today', '리더보드 끄기');
  await press(page, '새 링크');
  await page.getByRole('alertdialog').waitFor();
  await takePage(page, 'friends-renew');
}

/** Evenings and some mornings of a year, without one day in six. */
function yearOfVisits(): PastVisit[] {
  const visits: PastVisit[] = [];
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS - 9 * 60 * 60_000;
  for (let day = 364; day >= 1; day -= 1) {
    if (day > 9 && (day * 7) % 6 === 0) continue;
    const hour = day % 3 === 0 ? 7 : 19 + (day % 4);
    const focus = 25 + ((day * 37) % 110);
    visits.push({
      beganAt: new Date(midnight - (day - 1) * DAY_MS - DAY_MS + hour * 60 * 60_000),
      intervals: [
        { status: 'focus', minutes: focus },
        { status: 'pause', minutes: 5 + (day % 10) },
        { status: 'focus', minutes: 20 },
        { status: 'away', minutes: 1 + (day % 4), isSilence: true },
      ],
    });
  }
  visits.push({
    beganAt: new Date(Date.now() - 200 * 60_000),
    intervals: [{ status: 'focus', minutes: 95 }],
  });
  return visits;
}

const TASKS = [
  { text: '수학 p. 40–55', isDone: true },
  { text: '영어 단어 200개 외우기', isDone: false },
  { text: '기출 문제 3회분 풀고 오답 정리하기', isDone: false },
];

async function openRoom(host: Account, plan: Partial<RoomPlan>): Promise<number> {
  const body = {
    name: '새벽 독서실',
    goal: '',
    capacity: 8,
    isPublic: true,
    needsApproval: false,
    needsCamera: false,
    ...plan,
  };
  const { roomId } = await callAs(host, openHostedRoom, { body });
  await enterByApi(host, roomId);
  return roomId;
}

/** What a learner of a year meets. */
async function takeOldLearner(visit: Visit): Promise<void> {
  const { stack } = visit;
  const account = await createAccount('서연');
  await writeHistory(stack.dataDir, account.userId, yearOfVisits());
  const titles = await callAs(account, getOwnTitles, { params: { userId: account.userId } });
  const body = { targetMinutes: 180, tasks: TASKS, isVisible: true };
  await callAs(account, putGoal, { body });
  console.error(`${titles.filter(({ acquiredAt }) => acquiredAt !== null).length} titles are won`);
  const page = await openPage(visit, account);
  await takeAt(page, '/main', 'main');
  await takeAt(page, '/statistics', 'statistics');
  await takeAt(page, '/mypage', 'mypage');
  await takeAt(page, '/settings/security', 'settings');
  await takeHostedRooms(visit, page);
  await page.goto('/main');
  await enterFromMain(page);
  await lengthenVisit(stack.dataDir, account.userId, 47);
  await page.getByRole('link', { name: '스터디룸', exact: true }).click();
  await takePage(page, 'main-seated');
  const second = await page.context().newPage();
  await second.goto(page.url());
  await page.goBack();
  await page.getByTestId('participant-grid').waitFor();
  await press(page, '나가기');
  await page.getByRole('region', { name: '수고했어요' }).waitFor();
  await takePage(page, 'main-goodbye');
}

/** The list of rooms, the window that opens one, an invitation, and waiting for the host. */
async function takeHostedRooms(visit: Visit, page: Page): Promise<void> {
  const hosts = [];
  for (const name of ['새벽네시공부방지기입니다', '도윤', 'hyunwoo_92']) {
    hosts.push(await createAccount(name));
  }
  const [first, second, third] = hosts as [Account, Account, Account];
  await openRoom(first, { name: '새벽 독서실', goal: '기출 3회분' });
  const goal = '9월 모의고사 전까지 매일 세 시간씩, 말없이 카메라만 켜고 같이 공부해요';
  await openRoom(second, { name: '수능 백일 남은 사람들의 조용한 방', goal, needsCamera: true });
  const roomId = await openRoom(third, { name: 'Quiet focus', needsApproval: true, capacity: 20 });
  await takeAt(page, '/main', 'main-hosted', '새벽 독서실');
  await press(page, '방 만들기');
  await page.getByRole('dialog', { name: '방 만들기' }).waitFor();
  await takePage(page, 'main-open-room');
  const { invitation } = await callAs(third, getHostView, { params: { roomId } });
  await takeAt(page, `/invite#${invitation}`, 'invite', 'Quiet focus');
  const visitor = await openPage(visit);
  await takeAt(visitor, `/invite#${invitation}`, 'invite-visitor');
  await press(page, '입장 요청하기');
  await page.getByText('방장의 수락을 기다리고 있어요').waitFor();
  await takePage(page, 'waiting');
  await press(page, '취소');
}

/** A seat that went: taken by another tab, refused, ended by the host. */
async function takeLostSeats(visit: Visit): Promise<void> {
  const account = await createAccount('예린');
  const page = await openPage(visit, account);
  await page.goto('/main');
  const roomId = await enterFromMain(page);
  const second = await page.context().newPage();
  await second.goto(`/studyroom/${roomId}`);
  await passCameraCheck(second);
  await page.getByText('다른 곳에서 이 방을 열었어요').waitFor();
  await takePage(page, 'seat-taken');
  const host = await createAccount('밤샘하는토끼');
  const hosted = await openRoom(host, { name: '우리끼리 스터디' });
  await page.goto(`/studyroom/${hosted}`);
  await page.getByRole('button', { name: '이 방으로 옮기기' }).waitFor();
  await takePage(page, 'seated-elsewhere');
  await press(page, '이 방으로 옮기기');
  await passCameraCheck(page);
  await page.getByTestId('participant-grid').waitFor();
  const hostPage = await openPage(visit, host);
  await hostPage.goto(`/studyroom/${hosted}`);
  await passCameraCheck(hostPage);
  await press(hostPage, /^방 정보/u);
  await takePage(hostPage, 'room-about-host');
  await press(hostPage, '방 닫기');
  await hostPage.getByRole('alertdialog').getByRole('button', { name: '방 닫기' }).click();
  await page.getByText('방장이 방을 닫았어요').waitFor();
  await takePage(page, 'room-closed');
}

/** The console of moderators, and what the reported meet. */
async function takeModeration(visit: Visit): Promise<void> {
  const moderator = await createModerator(visit.stack);
  const [reporter, warned, suspended, open] = [
    await createAccount('지우'),
    await createAccount('시끄러운사람'),
    await createAccount('나쁜사람'),
    await createAccount('이상한사람'),
  ];
  const roomId = await enterByApi(reporter);
  for (const offender of [warned, suspended, open]) await enterByApi(offender, roomId);
  const people = { reporter, moderator, roomId };
  await reportAndDecide({ ...people, offender: warned }, 'warn');
  await reportAndDecide({ ...people, offender: suspended }, 'suspend', 7);
  const description = '카메라에 부적절한 것을 계속 비춰요.';
  await callAs(reporter, createReport, {
    body: { roomId, reportedId: open.userId, reason: 'OBSCENE_CONTENT', description },
  });
  const page = await openPage(visit, moderator);
  await takeAt(page, '/moderation', 'moderation', open.nickname);
  await press(page, open.nickname);
  await page.getByRole('heading', { level: 2, name: open.nickname }).waitFor();
  await takePage(page, 'moderation-case');
  await press(page, '맡기');
  await press(page, '결정하기');
  await takePage(page, 'moderation-decision');
  for (const [offender, name] of [
    [warned, 'warned'],
    [suspended, 'suspended'],
  ] as const) {
    const theirs = await openPage(visit);
    await theirs.goto('/email-login');
    await logInByForm(theirs, offender);
    await theirs.getByText('다른 사람을 불쾌하게 하는 화면이었어요.').first().waitFor();
    await takePage(theirs, name);
  }
}

/** The page that the service worker shows. */
async function takeOffline({ browser, stack }: Visit): Promise<void> {
  const account = await createAccount();
  const page = await openPage({ browser, stack }, account);
  await page.goto('/main');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.context().setOffline(true);
  await page.goto('/mypage');
  await page.getByRole('heading', { name: '페이지에 연결할 수 없어요' }).waitFor();
  await takePage(page, 'offline');
}

const PARTS: Readonly<Record<string, (visit: Visit) => Promise<void>>> = {
  open: takeOpenPages,
  new: takeNewLearner,
  week: takeFirstWeek,
  old: takeOldLearner,
  friends: takeFriends,
  lost: takeLostSeats,
  moderation: takeModeration,
  offline: takeOffline,
};

await album.fill(async (stack, browser) => {
  for (const part of options.parts.split(',')) {
    // A page whose texts have changed does not cost the pictures of all others.
    await PARTS[part]?.({ browser, stack }).catch((error: unknown) => {
      console.error(`${part}:`, error);
      process.exitCode = 1;
    });
    console.error(`${part}: ${album.taken} pictures so far`);
  }
});
