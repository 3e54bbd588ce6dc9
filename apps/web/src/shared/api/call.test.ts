import {
  changeEmail,
  changeNickname,
  changePassword,
  createMediaToken,
  createReport,
  enterRoom,
  equipTitle,
  errors,
  getCases,
  getLiveliness,
  getOwnTitles,
  getStatistics,
  getToday,
  leaveRoom,
  login,
  pauseTimer,
  type RoomId,
  type RouteDefinition,
  signup,
  todayMs,
  type UserId,
} from '@mogakgong/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { chooseLanguage } from '../i18n/texts.ts';
import { readAccessToken, storeAccessToken } from './access-token.ts';
import { ApiError, detailedErrorText, isPassing } from './api-error.ts';
import { call } from './call.ts';

const userId = 7 as UserId;
const roomId = 3 as RoomId;
/** The specification's statistics (§3). */
const STATISTICS = {
  userId,
  nickname: '김모각',
  totalStudyTime: 60,
  totalAwayTime: 0,
  totalAttendanceDays: 1,
  continueAttendanceDays: 1,
  lastAttendanceDate: '2026-11-21',
};

/** A server behind `fetch`: answers by path and records its requests. */
function serve(
  answers: Record<string, (request: Request) => Response | Promise<Response>>,
): Request[] {
  const seen: Request[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const request = new Request(new URL(address, 'http://localhost:3000'), init);
    seen.push(request);
    const answer = answers[new URL(request.url).pathname];
    if (answer === undefined) throw new TypeError('Failed to fetch');
    return answer(request);
  });
  return seen;
}

function answer(status: number, body: unknown): Response {
  return Response.json(body, { status });
}

async function failure(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
  return error;
}

beforeEach(() => storeAccessToken(null));

describe('a request', () => {
  test('carries query, body, language and the stored token', async () => {
    storeAccessToken('t1');
    const seen = serve({
      '/api/study-rooms/enter': () => answer(200, { roomId }),
      '/api/livekit/token': () => answer(200, { token: 'm', serverUrl: '/livekit' }),
    });
    expect(await call(enterRoom, { query: { userId, roomId: undefined } })).toEqual({ roomId });
    await call(createMediaToken, { body: { roomName: '3', identity: '7' } });

    expect(seen[0]?.url).toBe('http://localhost:3000/api/study-rooms/enter?userId=7');
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer t1');
    expect(seen[0]?.headers.get('accept-language')).toBe('ko');
    expect(await seen[1]?.json()).toEqual({ roomName: '3', identity: '7' });
  });

  test('of a multipart route is a form with its files', async () => {
    const upload = {
      method: 'POST',
      path: '/api/images/upload',
      summary: 'Upload a picture',
      access: 'login',
      body: z.object({ imageFile: z.file(), width: z.number(), name: z.optional(z.string()) }),
      bodyType: 'multipart',
      reply: z.string(),
      errors: [],
    } as const satisfies RouteDefinition;
    const seen = serve({ '/api/images/upload': () => answer(200, '/files/a.png') });
    const imageFile = new File(['pixels'], 'me.png', { type: 'image/png' });
    const body = { imageFile, width: 2, name: undefined };
    expect(await call(upload, { body })).toBe('/files/a.png');

    expect(seen[0]?.headers.get('content-type')).toMatch(/^multipart\/form-data; ?boundary=/u);
    const form = await seen[0]?.formData();
    expect([...(form?.keys() ?? [])]).toEqual(['imageFile', 'width']);
    expect(form?.get('width')).toBe('2');
    const sent = form?.get('imageFile') as File;
    expect(sent).toMatchObject({ name: 'me.png', type: 'image/png' });
    expect(await sent.text()).toBe('pixels');
  });

  test('carries no token when none is stored', async () => {
    const seen = serve({
      '/api/study-rooms/liveliness': () => answer(200, { learners: 1, rooms: 1, fullest: null }),
    });
    await call(getLiveliness, {});
    expect(seen[0]?.headers.has('authorization')).toBe(false);
  });

  test('is given up after 10 s (specification §7, §9)', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    serve({ '/api/study-rooms/liveliness': () => new Promise(() => undefined) });
    void call(getLiveliness, {}).catch(() => undefined);
    expect(timeout).toHaveBeenCalledExactlyOnceWith(10_000);
  });

  test('without a room id in the answer fails (specification §5)', async () => {
    serve({ '/api/study-rooms/enter': () => answer(200, {}) });
    const error = await failure(call(enterRoom, { query: { userId } }));
    expect(error.message).toBe('알 수 없는 응답을 받았어요. 페이지를 새로고침해 주세요.');
  });
});

describe('an answer of exactly the specification’s shape (specification §3, §7)', () => {
  const title = { titleId: 1, key: 'a', name: '가', description: '나', icon: 'desk' };
  const isRepresentOf = { isRepresent: true, progress: { unit: 'times', current: 1, target: 1 } };
  const read = { ...title, type: 'first', acquiredAt: '' };
  const params = { userId };
  const cases: [string, string, unknown, () => Promise<unknown>, unknown][] = [
    ['a bare room id', enterRoom.path, 3, () => call(enterRoom, { query: { userId } }), { roomId }],
    [
      'a media token without serverUrl',
      createMediaToken.path,
      { token: 'm' },
      () => call(createMediaToken, { body: { roomName: '3', identity: '7' } }),
      { token: 'm', serverUrl: '/livekit' },
    ],
    [
      'statistics',
      getStatistics.path,
      STATISTICS,
      () => call(getStatistics, {}),
      { ...STATISTICS, longestAttendanceDays: 0 },
    ],
    ...['isRepresent', 'isRepresentative', 'representative'].map((mark): (typeof cases)[number] => [
      `a title list with ${mark}`,
      '/api/titles/7/list',
      [{ ...title, [mark]: true }, title],
      () => call(getOwnTitles, { params }),
      [
        { ...read, ...isRepresentOf },
        { ...read, ...isRepresentOf, isRepresent: false },
      ],
    ]),
    [
      'an equipped title',
      '/api/titles/7/equip',
      { titleId: 1, name: '가', description: '나' },
      () => call(equipTitle, { params, query: { titleId: 1 } }),
      { titleId: 1, name: '가', description: '나', key: '', icon: '', type: '', acquiredAt: null },
    ],
  ];
  test.each(cases)('%s', async (_, path, body, ask, expected) => {
    serve({ [path]: () => answer(200, body) });
    expect(await ask()).toMatchObject(expected as object);
  });

  test('today’s study time', async () => {
    serve({ [getToday.path]: () => answer(200, { todayStudyTime: 90 }) });
    const today = await call(getToday, {});
    expect(todayMs(today, today.serverNowMs + 5_000)).toBe(90_000);
    expect(today.day).toMatch(/^\d{4}-\d{2}-\d{2}$/u);
    expect(today.dayEndsAtMs).toBeGreaterThan(today.serverNowMs);
  });

  test.each([
    ['nothing', () => new Response(null, { status: 200 })],
    ['an empty object', () => answer(200, {})],
  ])('%s, where it shows none', async (_, respond) => {
    const timer = { body: { userId, roomId } };
    serve(
      Object.fromEntries(
        [
          signup,
          leaveRoom,
          changeNickname,
          changeEmail,
          changePassword,
          pauseTimer,
          createReport,
        ].map(({ path }) => [path, respond]),
      ),
    );
    const email = 'a@b.c';
    const passwords = { currentPassword: 'x', newPassword: 'y', confirmNewPassword: 'y' };
    const report = { roomId, reportedId: userId, reason: 'ABUSE' } as const;
    await call(signup, { body: { email, password: 'x', nickname: 'n' } });
    await call(leaveRoom, { query: { userId } });
    await call(changeNickname, { body: { newNickname: 'n' } });
    await call(changeEmail, { body: { newEmail: email } });
    await call(changePassword, { body: passwords });
    expect((await call(pauseTimer, timer)).clock).toBeNull();
    expect((await call(createReport, { body: report })).reportId).toBeUndefined();
  });
});

describe('the text of a failure (specification §8)', () => {
  const cases: [string, Response, string][] = [
    ['the server’s message first', answer(409, { message: '가득 찼어요' }), '가득 찼어요'],
    ['400', answer(400, {}), '요청값이 유효하지 않습니다.'],
    ['401', answer(401, {}), '인증에 실패했습니다.'],
    ['409', answer(409, {}), '이미 존재하는 정보입니다.'],
    ['500 whatever it says', answer(500, { message: 'stack' }), '서버 내부 오류가 발생했습니다.'],
    ['a body that is a text', answer(409, '가득 찼어요'), '가득 찼어요'],
    ['a body of plain text', new Response('가득 찼어요', { status: 409 }), '가득 찼어요'],
    [
      'the beginning of a long text',
      new Response('가'.repeat(300), { status: 400 }),
      `${'가'.repeat(200)}…`,
    ],
    ['an empty body', new Response('', { status: 409 }), '이미 존재하는 정보입니다.'],
    ['another status', answer(418, {}), '로그인에 실패했습니다.'],
    [
      'a proxy’s page',
      new Response('<h1>Bad gateway</h1>', {
        status: 502,
        headers: { 'content-type': 'text/html' },
      }),
      '로그인에 실패했습니다.',
    ],
  ];
  test.each(cases)('%s', async (_, response, text) => {
    serve({ '/api/auth/login': () => response });
    const body = { email: 'a@b.c', password: 'x' };
    const error = await failure(call(login, { body }, { fallback: '로그인에 실패했습니다.' }));
    expect(error.message).toBe(text);
    expect(error.status).toBe(response.status);
  });

  test('no answer at all', async () => {
    serve({});
    const error = await failure(call(getLiveliness, {}));
    expect(error).toMatchObject({ message: '네트워크 오류가 발생했습니다.', status: 0 });
  });

  test('a proxy’s page of status 200, which counts as no answer: what waits is sent again', async () => {
    const page = { headers: { 'content-type': 'text/html; charset=utf-8' } };
    serve({ '/api/timer/pause': () => new Response('<h1>We are back soon</h1>', page) });
    const error = await failure(call(pauseTimer, { body: { userId, roomId } }));
    expect(error).toMatchObject({ message: '네트워크 오류가 발생했습니다.', status: 0 });
    expect(isPassing(error)).toBe(true);
  });

  test('is in the language of the page', async () => {
    await chooseLanguage('en');
    const seen = serve({ '/api/study-rooms/liveliness': () => answer(500, {}) });
    const error = await failure(call(getLiveliness, {}));
    expect(error.message).toBe(errors.internal.en);
    expect(seen[0]?.headers.get('accept-language')).toBe('en');
  });

  test('names the error, but never a property of Object.prototype', async () => {
    serve({
      '/api/study-rooms/enter': () =>
        answer(409, { message: 'm', error: 'roomFull', errorCode: 'R002' }),
      '/api/study-rooms/liveliness': () => answer(400, { error: 'constructor' }),
    });
    expect(await failure(call(enterRoom, { query: { userId } }))).toMatchObject({
      errorName: 'roomFull',
      code: 'R002',
    });
    expect((await failure(call(getLiveliness, {}))).errorName).toBeNull();
  });
});

describe('the text of a failed timer or report call (specification §8)', () => {
  const fallback = '오류가 발생했어요. 잠시 후 다시 시도해 주세요.';
  const cases: [string, Response, string][] = [
    ['the server’s message first', answer(409, { message: '안 돼요', error: 'x' }), '안 돼요'],
    ['its error text', answer(409, { error: '충돌' }), '충돌'],
    ['the text of the status', new Response('', { status: 418, statusText: 'Teapot' }), 'Teapot'],
    ['the call’s own text', new Response('', { status: 418 }), fallback],
    ['500 always its own', answer(500, { message: 'stack' }), '서버 내부 오류가 발생했습니다.'],
  ];
  test.each(cases)('%s', async (_, response, text) => {
    serve({ '/api/timer/pause': () => response });
    const error = await failure(call(pauseTimer, { body: { userId, roomId } }));
    expect(detailedErrorText(error, fallback)).toBe(text);
  });

  test('no answer, and an error that is no answer', async () => {
    serve({});
    const error = await failure(call(pauseTimer, { body: { userId, roomId } }));
    expect(detailedErrorText(error, fallback)).toBe('네트워크 오류가 발생했습니다.');
    expect(detailedErrorText(new Error('x'), fallback)).toBe(fallback);
  });
});

describe('a token that has run out', () => {
  const enter = () => call(enterRoom, { query: { userId } });
  const seats = (request: Request) =>
    request.headers.get('authorization') === 'Bearer fresh'
      ? answer(200, { roomId })
      : answer(401, {});

  test('is replaced once for all calls that wait for it, and they are repeated', async () => {
    storeAccessToken('old');
    const seen = serve({
      '/api/study-rooms/enter': seats,
      '/api/auth/refresh': () => answer(200, { token: 'fresh' }),
    });
    expect(await Promise.all([enter(), enter(), enter()])).toEqual([
      { roomId },
      { roomId },
      { roomId },
    ]);
    expect(seen.filter((request) => request.url.endsWith('/refresh'))).toHaveLength(1);
    expect(readAccessToken()).toBe('fresh');
  });

  test('is replaced for a route of moderators, too', async () => {
    storeAccessToken('old');
    serve({
      '/api/moderation/cases': (request) =>
        request.headers.get('authorization') === 'Bearer fresh'
          ? answer(200, { cases: [], next: null })
          : answer(401, {}),
      '/api/auth/refresh': () => answer(200, { token: 'fresh' }),
    });
    const cases = await call(getCases, { query: { filter: 'open' } });
    expect(cases).toEqual({ cases: [], next: null });
  });

  test('that another tab replaced meanwhile needs no refresh here', async () => {
    storeAccessToken('old');
    const seen = serve({
      '/api/study-rooms/enter': (request) => {
        const reply = seats(request);
        localStorage.setItem('mogakgong.token', 'fresh');
        return reply;
      },
    });
    expect(await enter()).toEqual({ roomId });
    expect(seen.map((request) => new URL(request.url).pathname)).toEqual([
      '/api/study-rooms/enter',
      '/api/study-rooms/enter',
    ]);
  });

  test('ends the log-in when the refresh is refused', async () => {
    storeAccessToken('old');
    serve({ '/api/study-rooms/enter': seats, '/api/auth/refresh': () => answer(401, {}) });
    expect((await failure(enter())).status).toBe(401);
    expect(readAccessToken()).toBeNull();
  });

  test('stays when the refresh gets no answer', async () => {
    storeAccessToken('old');
    serve({ '/api/study-rooms/enter': seats });
    expect((await failure(enter())).status).toBe(0);
    expect(readAccessToken()).toBe('old');
  });

  test('is not renewed after a wrong password', async () => {
    storeAccessToken('old');
    const seen = serve({ '/api/auth/login': () => answer(401, { message: 'no' }) });
    await failure(call(login, { body: { email: 'a@b.c', password: 'x' } }));
    expect(seen).toHaveLength(1);
  });
});
