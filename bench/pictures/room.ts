import { parseArgs } from 'node:util';
import {
  addSubject,
  awayTimer,
  blockUser,
  chooseSubject,
  pauseTimer,
  putGoal,
  putLeaderboardSetting,
  putPomodoro,
  type RouteDefinition,
  sendNod,
  showSubject,
  unblockUser,
} from '@mogakgong/contract';
import type { Browser, Page } from '@playwright/test';
import { mediaToken } from '../../e2e/support/hostile-client.ts';
import {
  type Account,
  callAs,
  chooseLanguage,
  createAccount,
  enterByApi,
  enterFromMain,
  logInByForm,
} from '../../e2e/support/journey.ts';
import { keepFromSaving } from '../../e2e/support/saving.ts';
import type { RunningStack } from '../../test/running-stack.ts';
import { type Bots, startBots } from '../cameras/bots.ts';
import { type Clip, ourLayers, provideClips } from '../cameras/clips.ts';
import { Album, resize, THEMES, WIDTHS, wear } from './taking.ts';

/**
 * Pictures of the study room to look at: rooms of some sizes in windows of some sizes, in both themes,
 * with the chat closed and open, then panels, windows and states. The others are learners with made
 * cameras (bench/bots).
 *
 *     npm run pictures:room -- [--learners 1,2,5,12,20] [--widths 360,768,1280,1920] [--out FOLDER]
 */
const { values: options } = parseArgs({
  options: {
    learners: { type: 'string', default: '1,2,5,12,20' },
    widths: { type: 'string', default: WIDTHS.join() },
    out: { type: 'string', default: 'test-results/pictures-room' },
    'no-states': { type: 'boolean', default: false },
  },
});
const numbersOf = (list: string) => list.split(',').map(Number);

/** As people name themselves: short and long, Korean and Latin. */
const NAMES = [
  '지우',
  '서연',
  '밤샘하는토끼',
  'Minjun',
  '하늘',
  '새벽네시공부방지기입니다',
  '도윤',
  'hyunwoo_92',
  '예린',
  '수능이백일남은사람',
];
/** What some of the others do; the rest focus. */
const MOVES: Readonly<Record<number, RouteDefinition>> = {
  2: pauseTimer,
  5: awayTimer,
  9: pauseTimer,
};

/** The subjects of the learners; some show none. */
const SUBJECTS = ['한국사', '', '정보처리기사 실기 데이터베이스', 'TOEIC LC', ''] as const;

/** A phone, and phones on their side. */
const PHONES = [
  { width: 390, height: 844 },
  { width: 640, height: 400 },
  { width: 844, height: 390 },
];

const album = new Album(options.out, { settleMs: 900 });
const take = album.take.bind(album);

/** The others, who come in groups: each is a process of its own. */
class Others {
  readonly accounts: Account[] = [];
  readonly #bots: Bots[] = [];
  readonly #stack: RunningStack;
  readonly #clips: readonly Clip[];

  constructor(stack: RunningStack, clips: readonly Clip[]) {
    this.#stack = stack;
    this.#clips = clips;
  }

  /** Lets more come until there are so many. */
  async comeUpTo(count: number): Promise<void> {
    const tokens: string[] = [];
    for (let index = this.accounts.length; index < count; index += 1) {
      const name = NAMES[index % NAMES.length] + (index < NAMES.length ? '' : ` ${index}`);
      const account = await createAccount(name);
      const roomId = await enterByApi(account);
      await this.#settle(account, roomId, index);
      tokens.push(await mediaToken(account, roomId));
      this.accounts.push(account);
    }
    if (tokens.length === 0) return;
    const url = `ws://localhost:${this.#stack.port}/livekit`;
    this.#bots.push(await startBots({ url, tokens }, this.#clips));
  }

  async #settle(account: Account, roomId: number, index: number): Promise<void> {
    const { userId } = account;
    const move = MOVES[index];
    if (move) await callAs(account, move, { body: { userId, roomId } });
    const subject = SUBJECTS[index % SUBJECTS.length];
    if (subject) await study(account, subject);
    if (index % 3 === 0) {
      const tasks = [{ text: '수학 p. 40–55', isDone: false }];
      await callAs(account, putGoal, { body: { targetMinutes: 120, tasks, isVisible: true } });
    }
  }

  signalLast(signal: NodeJS.Signals): void {
    const last = this.#bots.at(-1);
    if (last) process.kill(last.pid, signal);
  }

  async stop(): Promise<void> {
    for (const bots of this.#bots) await bots.stop();
  }
}

/** Lets a learner study a subject that the room sees. */
async function study(account: Account, name: string): Promise<void> {
  const { subjects } = await callAs(account, addSubject, { body: { name } });
  const subjectId = subjects.at(-1)?.id ?? null;
  await callAs(account, chooseSubject, { body: { subjectId } });
  await callAs(account, showSubject, { body: { isShown: true } });
}

async function untilTiles(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelectorAll('li[data-tile-view="picture"]').length >= wanted,
    count,
    { timeout: 60_000 },
  );
}

/** The room in every size and theme, the chat closed and open. */
async function takeRoom(page: Page, count: number): Promise<void> {
  const chat = page.locator('[data-bar]').getByRole('button', { name: /채팅/u });
  for (const width of numbersOf(options.widths)) {
    await resize(page, width);
    for (const theme of THEMES) {
      await wear(page, theme);
      await take(page, `room-${count}-${width}-${theme}`);
      await chat.click();
      await take(page, `room-${count}-${width}-${theme}-chat`);
      await page.locator('[data-chat-dock]').getByRole('button', { name: /닫기/u }).click();
    }
  }
  for (const size of PHONES) {
    await page.setViewportSize(size);
    await wear(page, 'dark');
    await take(page, `room-${count}-${size.width}x${size.height}`);
  }
}

/** Panels and windows, by the names of their buttons. */
async function takeStates(page: Page, self: Account, neighbour: Account): Promise<void> {
  for (const width of numbersOf(options.widths)) {
    await resize(page, width);
    for (const theme of THEMES) {
      await wear(page, theme);
      for (const [name, panel] of [
        ['desk', /내 책상/u],
        ['people', /^\d+명/u],
        ['options', /화면·소리/u],
      ] as const) {
        const button = page.locator('[data-bar]').getByRole('button', { name: panel });
        await button.click();
        await take(page, `${name}-${width}-${theme}`);
        await page.keyboard.press('Escape');
      }
    }
  }
  await takeToday(page, neighbour);
  await takeTileStates(page);
  await takeBlocked(page, self, neighbour);
  await takeForcedColours(page, 'room');
  await resize(page, 1280);
  await page.keyboard.press('Shift+Slash');
  await take(page, 'keys-1280');
  await page.keyboard.press('Escape');
  await page.keyboard.press('b');
  await take(page, 'break-1280');
  await resize(page, 360);
  await take(page, 'break-360');
  await page.keyboard.press('b');
  await resize(page, 1280);
  await tiles(page)
    .nth(1)
    .getByRole('button', { name: / 메뉴$/u })
    .click();
  await take(page, 'menu-1280');
  await page.keyboard.press('Escape');
  await takeNod(page, neighbour);
  await takeMiniRoom(page);
  await takeNotices(page, neighbour);
  await page.getByRole('button', { name: '카메라 끄기' }).click();
  await take(page, 'camera-off-1280');
  await page.getByRole('button', { name: '카메라 켜기' }).click();
  await takeEnglish(page);
}

const tiles = (page: Page) => page.getByTestId('participant-grid').locator('> li');

/** Today of those who want to be seen, before and after one is one of them. */
async function takeToday(page: Page, neighbour: Account): Promise<void> {
  await callAs(neighbour, putLeaderboardSetting, { body: { isOn: true } });
  await resize(page, 1280);
  await page.keyboard.press('t');
  await takeBoth(page, 'today-off');
  await page.getByRole('button', { name: '켜고 보기' }).click();
  await page.getByRole('button', { name: '리더보드 끄기' }).waitFor();
  await takeBoth(page, 'today-on');
  await page.getByRole('button', { name: '리더보드 끄기' }).click();
  await page.keyboard.press('Escape');
}

/** A neighbour nods: the room says who, and the lamp of their tile moves. */
async function takeNod(page: Page, neighbour: Account): Promise<void> {
  const identity = await tiles(page).first().getAttribute('data-participant-identity');
  const roomId = Number(new URL(page.url()).pathname.split('/').at(-1));
  const body = { toUserId: Number(identity) };
  await callAs(neighbour, sendNod, { params: { roomId }, body });
  await page.locator('[data-nodding]').waitFor();
  await take(page, 'nod-1280');
}

/** What is said while something is out of reach, and when a neighbour starts a pomodoro. */
async function takeNotices(page: Page, neighbour: Account): Promise<void> {
  const roomId = Number(new URL(page.url()).pathname.split('/').at(-1));
  const body = { focusMinutes: 25, breakMinutes: 5 };
  await callAs(neighbour, putPomodoro, { params: { roomId }, body });
  await page
    .getByText(/뽀모도로/u)
    .first()
    .waitFor();
  await takeBoth(page, 'pomodoro-invitation');
  await page.context().setOffline(true);
  await page
    .getByText(/연결이 끊겼어요/u)
    .first()
    .waitFor();
  await page.keyboard.press('b');
  await takeBoth(page, 'offline');
  await page.context().setOffline(false);
  await page.keyboard.press('b');
}

/** On a phone and on a computer, in both themes. */
async function takeBoth(page: Page, name: string): Promise<void> {
  for (const width of [360, 1280]) {
    await resize(page, width);
    for (const theme of THEMES) {
      await wear(page, theme);
      await take(page, `${name}-${width}-${theme}`);
    }
  }
}

async function takeMiniRoom(page: Page): Promise<void> {
  const opening = page.context().waitForEvent('page');
  await page.keyboard.press('m');
  const mini = await opening;
  await take(mini, 'mini-room');
  await page.keyboard.press('m');
}

async function takeEnglish(page: Page): Promise<void> {
  await resize(page, 1280);
  await chooseLanguage(page, 'en');
  for (const width of [360, 768, 1280]) {
    await resize(page, width);
    await take(page, `english-${width}`);
    await page.locator('[data-bar]').getByRole('button', { name: 'View & sound' }).click();
    await take(page, `english-options-${width}`);
    await page.keyboard.press('Escape');
  }
  await resize(page, 1280);
  await chooseLanguage(page, 'ko');
}

/** Another's tile hidden, its menu open, one tile enlarged. */
async function takeTileStates(page: Page): Promise<void> {
  for (const width of [360, 1280]) {
    await resize(page, width);
    for (const theme of THEMES) {
      await wear(page, theme);
      await tiles(page).nth(1).locator('[data-enlarge]').click();
      await take(page, `enlarged-${width}-${theme}`);
      await page.keyboard.press('Escape');
      await tiles(page).nth(1).hover();
      await tiles(page).nth(1).locator('button.tile-hide').click({ force: true });
      await take(page, `hidden-${width}-${theme}`);
      await tiles(page).nth(1).locator('.tile-reason button').click();
    }
  }
}

/** A blocked learner has no tile. */
async function takeBlocked(page: Page, self: Account, neighbour: Account): Promise<void> {
  const params = { blockedId: neighbour.userId };
  await callAs(self, blockUser, { params });
  await page.locator('li[data-tile-view]').nth(4).waitFor({ state: 'detached' });
  await takeBoth(page, 'blocked');
  await callAs(self, unblockUser, { params });
  await untilTiles(page, 5);
}

/** The dark palette of a system with high contrast, as Chromium makes it. */
async function takeForcedColours(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  for (const width of [360, 1280]) {
    await resize(page, width);
    await take(page, `${name}-forced-colours-${width}`);
  }
  await page.emulateMedia({ forcedColors: 'none', colorScheme: null });
}

/** Those who came last send nothing any more. */
async function takeLost(page: Page, others: Others): Promise<void> {
  others.signalLast('SIGSTOP');
  try {
    await page.locator('[data-tile-view="connectionLost"]').first().waitFor({ timeout: 90_000 });
    await takeBoth(page, 'lost');
  } finally {
    others.signalLast('SIGCONT');
  }
}

async function takeAll({ page, self }: Looker, others: Others): Promise<void> {
  if (!options['no-states']) {
    await takeForcedColours(page, 'main');
    for (const width of [360, 1280]) {
      await resize(page, width);
      await page.getByRole('button', { name: '스터디룸 입장하기' }).click();
      await page.getByRole('dialog').getByRole('button', { name: '입장하기' }).waitFor();
      await take(page, `enter-${width}`);
      await page.keyboard.press('Escape');
    }
  }
  await enterFromMain(page);
  for (const count of numbersOf(options.learners)) {
    await others.comeUpTo(count - 1);
    await resize(page, 1920);
    await untilTiles(page, count);
    await takeRoom(page, count);
    const [neighbour] = others.accounts;
    if (count === 5 && neighbour && !options['no-states']) await takeStates(page, self, neighbour);
    console.error(`${count} learners: ${album.taken} pictures so far`);
  }
  if (!options['no-states']) await takeLost(page, others);
}

/** Who looks, on which page. */
interface Looker {
  readonly page: Page;
  readonly self: Account;
}

/** A page of a learner who is logged in, on /main. */
async function openPage(browser: Browser, url: string): Promise<Looker> {
  const self = await createAccount('모각이');
  const context = await browser.newContext({ locale: 'ko-KR', baseURL: url });
  const page = await context.newPage();
  await page.addInitScript(keepFromSaving);
  await page.goto('/email-login');
  await logInByForm(page, self);
  await page.waitForURL('**/main');
  return { page, self };
}

await album.fill(async (stack, browser) => {
  const others = new Others(stack, await provideClips(browser, ourLayers));
  try {
    await takeAll(await openPage(browser, stack.url), others);
  } finally {
    await others.stop();
  }
});
