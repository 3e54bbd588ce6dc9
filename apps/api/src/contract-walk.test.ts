import type { AddressInfo } from 'node:net';
import { answerOf } from '@mogakgong/social-double';
import { decodeJwt } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { newJpeg } from '../test/pictures.ts';
import { openSocialDouble } from '../test/social-double.ts';
import { PASSWORD } from '../test/test-app.ts';
import { openTestSite } from '../test/test-site.ts';

/**
 * The calls of specification §7, as its client makes them: paths, bodies, headers and fields of replies come
 * from the specification, not from our contract.
 */
const { env } = await openSocialDouble();
const { app, clients } = await openTestSite({ env });
const host = `http://127.0.0.1:${(app.http.fastify.server.address() as AddressInfo).port}`;

/** The client's stored token, sent with every later request. */
let token: string | null = null;

async function call(method: string, path: string, payload?: object | FormData) {
  const isForm = payload instanceof FormData;
  const answer = await fetch(`${host}${path}`, {
    method,
    headers: {
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(payload && !isForm && { 'Content-Type': 'application/json' }),
    },
    ...(payload && { body: isForm ? payload : JSON.stringify(payload) }),
    signal: AbortSignal.timeout(10_000),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the specification's client reads untyped data.
  const data: any = await answer.json();
  expect([method, path, answer.status, data.message]).toEqual([method, path, 200, undefined]);
  return data;
}

const user = { email: 'walker@example.org', nickname: '산책하는 사람' };

describe('the client of specification §7', () => {
  it('signs up and logs in', async () => {
    // The consents are ours (departure D16): without them nobody can sign up.
    await call('POST', '/api/auth/signup', {
      email: user.email,
      password: PASSWORD,
      nickname: user.nickname,
      introduction: '안녕하세요!',
      profileImage: 'default.jpg',
      socialProvider: 'LOCAL',
      consents: { age: true, terms: true, privacy: true },
    });
    const body = { email: user.email, password: PASSWORD };
    token = (await call('POST', '/api/auth/login', body)).token;
    expect(decodeJwt(String(token))).toMatchObject({ userId: expect.any(Number) });
  });

  it('reads the profile', async () => {
    expect(await call('GET', '/api/user/profile')).toMatchObject({
      ...user,
      profileImage: 'default.jpg',
      selectedTitle: { key: 'no-title', name: '대표 칭호를 설정해주세요!' },
    });
  });

  it('uploads a picture and makes it the profile’s', async () => {
    const form = new FormData();
    form.append('imageFile', new File([new Uint8Array(await newJpeg())], 'me.jpg'));
    const uploaded = await call('POST', '/api/images/upload', form);
    const newProfileImage = uploaded.profileImage ?? uploaded.imageUrl ?? uploaded.url ?? uploaded;
    await call('PATCH', '/api/user/profile/profileImage', { newProfileImage });
    const { profileImage } = await call('GET', '/api/user/profile');
    expect(profileImage).toBe(newProfileImage);
    const picture = await fetch(host + profileImage);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
  });

  it('changes nickname, e-mail and password', async () => {
    user.nickname = '천천히 걷는 사람';
    await call('PATCH', '/api/user/profile/nickname', { newNickname: user.nickname });
    user.email = 'new-walker@example.org';
    await call('PATCH', '/api/user/profile/email', { newEmail: user.email });
    const newPassword = 'Green-desk-7';
    await call('PATCH', '/api/user/profile/password', {
      currentPassword: PASSWORD,
      newPassword,
      confirmNewPassword: newPassword,
    });
    expect(await call('GET', '/api/user/profile')).toMatchObject(user);
    token = (await call('POST', '/api/auth/login', { email: user.email, password: newPassword }))
      .token;
  });

  it('enters a room, runs the timer and leaves', async () => {
    const { userId } = decodeJwt(String(token));
    const entered = await call('POST', `/api/study-rooms/enter?userId=${userId}`);
    const roomId = entered.roomId ?? entered;
    const media = { roomName: String(roomId), identity: String(userId) };
    expect(await call('POST', '/api/livekit/token', media)).toMatchObject({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/u),
    });
    // It runs already: the timer starts on entering (departure D11), and a repeat changes nothing.
    await call('POST', '/api/timer/start', { userId, roomId });
    app.clock.advance(61_000);
    await call('POST', '/api/timer/pause', { userId, roomId });
    expect(await call('GET', '/api/user/stat/today-study-time')).toMatchObject({
      todayStudyTime: 61,
    });
    await call('POST', '/api/timer/resume', { userId, roomId });

    const chat = await clients.connect(app, {
      query: `?access_token=${token}`,
      headers: { Authorization: `Bearer ${token}` },
    });
    const messages = await chat.subscribe('/topic/messages');
    const timestamp = new Date().toISOString();
    await chat.send('/pub/chat', { senderId: userId, roomId, content: '안녕하세요', timestamp });
    const isOurs = (body: object) => 'content' in body && body.content === '안녕하세요';
    await vi.waitFor(() =>
      expect(messages.find(({ body }) => isOurs(body))?.body).toMatchObject({
        senderId: userId,
        roomId,
        timestamp: expect.any(String),
      }),
    );

    await call('POST', `/api/study-rooms/leave?userId=${userId}`);
    expect(await call('GET', '/api/user/stat/normal')).toMatchObject({
      userId,
      nickname: user.nickname,
      totalStudyTime: 61,
      totalAttendanceDays: 1,
      continueAttendanceDays: 1,
      lastAttendanceDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/u),
    });
  });

  it('wears a title that was won', async () => {
    const { userId } = decodeJwt(String(token));
    const known = (await call('GET', '/api/titles')).length;
    const titles = await call('GET', `/api/titles/${userId}/list`);
    expect(titles).toHaveLength(known);
    const won = titles.find(({ acquiredAt }: { acquiredAt: string | null }) => acquiredAt !== null);
    const path = `/api/titles/${userId}/equip?titleId=${won.titleId}`;
    expect(await call('POST', path)).toMatchObject({
      titleId: won.titleId,
      name: won.name,
      description: won.description,
    });
    const { selectedTitle } = await call('GET', '/api/user/profile');
    expect(selectedTitle).toEqual({ key: won.key, name: won.name, icon: won.icon });
  });

  it.each(['google', 'kakao', 'naver'])('comes back from %s', async (provider) => {
    // A full page: the browser keeps its cookie and follows the redirect.
    // Injected, because the address must be the one of the site's settings.
    const started = await app.inject(`/oauth2/authorization/${provider}`);
    expect(started.statusCode).toBe(302);
    const cookie = started.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const person = { name: `걷는 ${provider}`, email: `${provider}@example.org` };
    const back = await answerOf(String(started.headers.location), {
      ...person,
      isEmailVerified: true,
    });
    const [code, state] = ['code', 'state'].map((name) => back.searchParams.get(name) ?? '');
    const query = new URLSearchParams({ code: code ?? '', state: state ?? '' });
    const answer = await fetch(`${host}/api/oauth/${provider}/callback?${query}`, {
      headers: { cookie },
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { isNew: true }]);
  });
});
