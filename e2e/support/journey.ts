import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DEFAULT_PROFILE_IMAGE,
  enterRoom,
  leaveRoom,
  login,
  type RouteDefinition,
  type RouteReply,
  signup,
} from '@mogakgong/contract';
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import type { Browser as Firefox } from 'puppeteer-core';
import type { RunningStack } from '../../test/running-stack.ts';
import { launchFirefox, START_DEADLINE_MS } from './firefox-browser.ts';
import { stackOfWorker } from './stack.ts';

export const PASSWORD = 'Blue-lamp-42';

/** An account made through the API, as fast as possible. */
export interface Account {
  readonly userId: number;
  readonly email: string;
  readonly nickname: string;
  readonly token: string;
}

interface WorkerFixtures {
  /** The product that this worker runs its journeys on; workers share nothing. */
  readonly stack: RunningStack;
  /** Starts with the first journey that asks for it, and serves all of its worker. */
  readonly firefox: Firefox;
}

interface JourneyFixtures {
  /** Everybody leaves after every journey, browsers closed or not: the next would see their seats. */
  readonly leaving: undefined;
  /** The address of the running product. */
  readonly url: string;
  /** A page of its own browser context: another person at another computer. */
  readonly newVisitor: () => Promise<Page>;
  /** A visitor who has an account and is logged in, on /main; `prepare` runs before it is opened. */
  readonly newLearner: (
    prepare?: (page: Page) => Promise<unknown>,
  ) => Promise<{ readonly page: Page; readonly account: Account }>;
}

let runningStack: RunningStack | undefined;

/** Lets the helpers of this process play learners on this stack. */
export function playOn(stack: RunningStack): void {
  runningStack = stack;
}

export function stackUrl(): string {
  if (!runningStack) throw new Error('the stack is not running');
  return runningStack.url;
}

interface Call {
  readonly params?: Readonly<Record<string, number | string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
}

/** Somebody who is logged in, or nobody. */
type Caller = Pick<Account, 'token'> | null;

/** What a route of the API answers to somebody, a refusal too. */
export function askAs(
  caller: Caller,
  { method, path }: RouteDefinition,
  { params = {}, query = {}, body }: Call = {},
): Promise<Response> {
  const target = new URL(
    path.replace(/:(\w+)/gu, (_, name: string) => String(params[name])),
    stackUrl(),
  );
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value));
  return fetch(target, {
    method,
    headers: {
      ...(caller && { authorization: `Bearer ${caller.token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** Calls a route of the API as somebody, again when the server is too busy for it. @throws what it answers instead. */
export async function callAs<R extends RouteDefinition>(
  caller: Caller,
  route: R,
  call?: Call,
): Promise<RouteReply<R>> {
  const answer = await askAs(caller, route, call);
  const retryAfterSeconds = answer.headers.get('retry-after');
  if (answer.status === 503 && retryAfterSeconds !== null) {
    await delay(Number(retryAfterSeconds) * 1_000);
    return callAs(caller, route, call);
  }
  if (!answer.ok)
    throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as RouteReply<R>;
}

/** Accounts of the present test. */
const accounts: Account[] = [];

export async function createAccount(wantedName?: string): Promise<Account> {
  const unique = randomBytes(5).toString('hex');
  const email = `${unique}@example.org`;
  const nickname = wantedName ?? `n${unique}`;
  const consents = { age: true, terms: true, privacy: true };
  const body = { email, nickname, password: PASSWORD, consents };
  const { userId } = (await callAs(null, signup, { body })) as { userId: number };
  const account = { userId, email, nickname, token: await logInByApi(email) };
  accounts.push(account);
  return account;
}

/** Logs in on one more device; the access token. */
export async function logInByApi(email: string): Promise<string> {
  const { token } = await callAs(null, login, { body: { email, password: PASSWORD } });
  if (token === undefined) throw new Error('a second factor is asked for');
  return token;
}

async function leaveSeats(): Promise<void> {
  const leaving = accounts.splice(0).map(async (account) => {
    const answer = await askAs(account, leaveRoom, { query: { userId: account.userId } });
    // A test may have ended the log-in, or suspended the account, and the seat with it.
    if (!answer.ok && answer.status !== 401 && answer.status !== 403)
      throw new Error(`leaving: ${answer.status}`);
  });
  await Promise.all(leaving);
}

/** Takes a seat without a browser, in a room or in the best one; the room's number. */
export async function enterByApi({ userId, token }: Account, roomId?: number): Promise<number> {
  const query = { userId, ...(roomId !== undefined && { roomId }) };
  return (await callAs({ token }, enterRoom, { query })).roomId;
}

/** Fills in the log-in form. */
export async function logInByForm(page: Page, account: Pick<Account, 'email'>): Promise<void> {
  await page.getByLabel('이메일', { exact: true }).fill(account.email);
  await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: '로그인', exact: true }).click();
}

/** A file of the product that opens at once: a log-in by the API needs no more than its address. */
export const LIGHT_PATH = '/favicon.svg';

type LogInDetails = ReturnType<typeof logInDetails>;

/** What `logInHere` needs for an account. */
export function logInDetails({ userId, email, nickname }: Account) {
  const profileImageUrl = DEFAULT_PROFILE_IMAGE;
  return {
    path: login.path,
    credentials: { email, password: PASSWORD },
    user: { userId, uid: nickname, email, nickname, profileImageUrl, title: null },
  };
}

/** Runs in the page and logs the browser in without the form: its cookies, and what our pages keep. */
export async function logInHere({ path, credentials, user }: LogInDetails): Promise<void> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  const { token } = await answer.json();
  const session = { state: { isLoggedIn: true, token, user }, version: 1 };
  localStorage.setItem('mogakgong.token', token);
  localStorage.setItem('mogakgong.auth', JSON.stringify(session));
}

/** Presses the button of the camera check once the camera is on. */
export const passCameraCheck = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: '입장하기' }).click();

/** Chooses a language as a learner does, in their menu. */
export async function chooseLanguage(page: Page, language: 'ko' | 'en'): Promise<void> {
  await page.getByRole('banner').locator('button[aria-haspopup="menu"]').click();
  await page.locator(`[role="menuitem"][lang="${language}"]`).click();
}

/** From /main through the camera check into a room; the room's number. */
export async function enterFromMain(page: Page): Promise<number> {
  await page.getByRole('button', { name: '스터디룸 입장하기' }).click();
  await passCameraCheck(page);
  await page.waitForURL(/\/studyroom\/\d+$/u);
  return Number(new URL(page.url()).pathname.split('/').at(-1));
}

/** The tile of one learner. */
export const tileOf = (page: Page, account: Pick<Account, 'userId'>) =>
  page.locator(`[data-participant-identity="${account.userId}"]`);

/** After this time without a new frame the element is looked up again: it may have been replaced. */
export const FRAME_DEADLINE_MS = 3_000;

/** Waits until a tile shows a picture that moves: new frames arrive and their pixels differ. */
export async function expectMovingPicture(page: Page, account: Account): Promise<void> {
  await expect(async () => {
    const video = tileOf(page, account).locator('video');
    await expect(video).toBeVisible();
    const seen = await video.evaluate(countFrames, FRAME_DEADLINE_MS);
    expect(seen.frames).toBeGreaterThanOrEqual(15);
    expect(seen.changed).toBeGreaterThan(0);
  }).toPass({ timeout: 60_000 });
}

/** Runs in the page: counts frames until 15 came and some pixels differ from the first. */
export async function countFrames(element: Element, deadlineMs: number) {
  const picture = element as HTMLVideoElement;
  const canvas = document.createElement('canvas');
  canvas.width = 64;
  canvas.height = 36;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  const pixels = () => {
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const nextFrame = () =>
    new Promise<number>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('the picture is frozen')), deadlineMs);
      picture.requestVideoFrameCallback((_now, frame) => {
        clearTimeout(late);
        resolve(frame.presentedFrames);
      });
    });
  const firstFrame = await nextFrame();
  const before = pixels();
  let frames = 0;
  let changed = 0;
  while (frames < 15 || changed === 0) {
    frames = (await nextFrame()) - firstFrame;
    const after = pixels();
    changed = after.filter((value, index) => Math.abs(value - (before[index] ?? 0)) > 24).length;
  }
  return { frames, changed };
}

/** The page of a log-in provider, to which a learner goes by a press of their own. */
const PROVIDER_PAGE = /^http:\/\/localhost:\d+\/(?:google|kakao|naver)\//u;

/** Requests that left the product's origin: there must be none (design §9). */
const foreignRequests: string[] = [];

function watchOrigin(context: BrowserContext, url: string): void {
  const { host } = new URL(url);
  const check = (target: string) => {
    const { protocol, host: targetHost } = new URL(target);
    const isOwn = targetHost === host || protocol === 'data:' || protocol === 'blob:';
    if (!isOwn) foreignRequests.push(target);
  };
  context.on('request', (request) => {
    const isPress = request.isNavigationRequest() && PROVIDER_PAGE.test(request.url());
    if (!isPress) check(request.url());
  });
  context.on('page', (page) => page.on('websocket', (socket) => check(socket.url())));
}

export const test = base.extend<JourneyFixtures, WorkerFixtures>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from the pattern.
    async ({}, use, { parallelIndex }) => {
      const stack = stackOfWorker(parallelIndex);
      playOn(stack);
      await use(stack);
    },
    { scope: 'worker', auto: true },
  ],

  firefox: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from the pattern.
    async ({}, use) => {
      const browser = await launchFirefox();
      await use(browser);
      await browser.close();
    },
    { scope: 'worker', timeout: START_DEADLINE_MS },
  ],

  // Set up first, so that it ends last: no browser is open any more that could enter again.
  leaving: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from the pattern.
    async ({}, use) => {
      await use(undefined);
      await leaveSeats();
    },
    { auto: true },
  ],

  url: async ({ stack }, use) => use(stack.url),

  newVisitor: async ({ browser, url }, use, info) => {
    const contexts: BrowserContext[] = [];
    const faults: string[] = [];
    await use(async () => {
      const context = await browser.newContext({ ...info.project.use, baseURL: url });
      contexts.push(context);
      watchOrigin(context, url);
      const page = await context.newPage();
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) faults.push(message.text());
      });
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
    expect(faults).toEqual([]);
    expect(foreignRequests.splice(0)).toEqual([]);
  },

  newLearner: async ({ newVisitor }, use) => {
    await use(async (prepare) => {
      const [page, account] = await Promise.all([newVisitor(), createAccount()]);
      await page.goto(LIGHT_PATH);
      await page.evaluate(logInHere, logInDetails(account));
      await prepare?.(page);
      await page.goto('/main');
      return { page, account };
    });
  },
});

export { expect };
