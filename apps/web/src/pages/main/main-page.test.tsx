import {
  HOUR_MS,
  type RoomCard,
  RoomId,
  type Today,
  UserId,
  type Visit,
} from '@mogakgong/contract';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { UNAVAILABLE } from '../../../testing/fake-api.ts';
import { card } from '../../../testing/groups.ts';
import { LEARNER, logIn } from '../../../testing/log-in.ts';
import { showPage } from '../../../testing/show-page.tsx';
import { useCurrentRoom } from '../../room/live/current-room.ts';
import type { RoomLive } from '../../room/live/room-live.ts';
import { queryClient } from '../../shared/api/query.ts';
import { MainPage } from './main-page.tsx';

/** A Saturday, 12:00 in Seoul. */
const NOW_MS = Date.UTC(2026, 10, 21, 3);

const today: Today = {
  todayStudyTime: 5_400,
  day: '2026-11-21',
  timeZone: 'Asia/Seoul',
  focusMs: 1.5 * HOUR_MS,
  runningSinceMs: null,
  dayStartsAtMs: NOW_MS - 12 * HOUR_MS,
  dayEndsAtMs: NOW_MS + 12 * HOUR_MS,
  serverNowMs: NOW_MS,
};
const ended: Visit = {
  id: 8,
  roomId: RoomId.parse(3),
  beganAtMs: NOW_MS - 22 * HOUR_MS,
  endedAtMs: NOW_MS - 21 * HOUR_MS,
  focusMs: 47 * 60_000,
  awayMs: 0,
  intervals: [],
  hasEarlier: false,
  note: null,
};
const liveliness = { learners: 4, rooms: 1, fullest: null };
const lastVisit = (visit?: Visit) => ({
  visits: visit ? [visit] : [],
  hasOlder: false,
  serverNowMs: NOW_MS,
});
const full = {
  '/api/study-rooms/liveliness': liveliness,
  '/api/user/stat/today-study-time': today,
  '/api/user/stat/normal': {
    userId: 1,
    nickname: LEARNER.nickname,
    totalStudyTime: 9_000,
    totalAwayTime: 0,
    totalAttendanceDays: 5,
    continueAttendanceDays: 3,
    lastAttendanceDate: '2026-11-21',
    longestAttendanceDays: 3,
  },
  '/api/goals/today': {
    targetMinutes: 180,
    tasks: [],
    isVisible: false,
    day: '2026-11-21',
    version: 1,
  },
  '/api/statistics/visits': lastVisit(ended),
  '/api/hosted-rooms': { own: null, rooms: [], total: 0 },
  '/api/friends': { friends: [], received: [], sent: [], link: null },
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS });
  logIn();
});

afterEach(() => {
  useCurrentRoom.setState({ seat: null, live: null, left: null, leavingRoomId: null });
  queryClient.clear();
});

const show = (answers: Record<string, unknown>) => showPage(<MainPage />, answers);

const litDesks = () => document.querySelectorAll('[data-lit="true"]').length;
const figures = async () =>
  (await screen.findByRole('region', { name: '내 기록' })).querySelector('dl')?.textContent;

test('one of twenty desks is lit per seated learner', async () => {
  await show(full);
  expect(await screen.findByText('지금 4명이 공부하고 있어요')).toBeTruthy();
  expect([litDesks(), document.querySelectorAll('[data-lit]').length]).toEqual([4, 20]);
});

test('today, days in a row, goal and last visit are shown beside the button', async () => {
  await show(full);
  await screen.findByText('마지막 이용 11월 20일 오후 2:00 · 집중 47분');
  expect(await figures()).toBe('오늘 집중1시간 30분연속 출석3일오늘 목표목표 3시간 중 50%3시간');
  expect(screen.getByRole('button', { name: '스터디룸 입장하기' })).toBeTruthy();
});

test('the headings are one of the page, and one of each part of it', async () => {
  await show(full);
  await screen.findByText('마지막 이용 11월 20일 오후 2:00 · 집중 47분');
  const headings = await screen.findAllByRole('heading');
  const [first, ...others] = headings.map(
    ({ tagName, textContent }) => `${tagName} ${textContent}`,
  );
  expect(first).toMatch(/^H1 /u);
  expect(others[0]).toBe('H2 내 기록');
  expect(others.every((text) => text.startsWith('H2 '))).toBe(true);
  expect(new Set(others).size).toBe(others.length);
});

test('the days until the next exam stand beside the goal, which leads to the plan', async () => {
  const exams = [
    { name: '모의고사', day: '2026-11-20' },
    { name: '수능', day: '2026-12-21' },
    { name: '토익', day: '2027-01-02' },
  ];
  await show({ ...full, '/api/goals/today': { ...full['/api/goals/today'], exams } });
  await screen.findByText('D-30');
  expect(await figures()).toMatch(/목표 3시간 중 50%3시간수능D-30$/u);
  expect(screen.getByRole('link', { name: /3시간/u }).getAttribute('href')).toBe('/plan');
  expect(screen.getByRole('link', { name: '계획 보기' }).getAttribute('href')).toBe('/plan');
});

test('the tasks of today are counted, and friends who focus now', async () => {
  const tasks = [
    { text: '수학 p. 40', isDone: false },
    { text: '영어 단어', isDone: true },
  ];
  const states = ['focus', 'pause', 'focus'].map((status, index) => ({
    userId: index + 2,
    status,
    place: null,
  }));
  await show({
    ...full,
    '/api/goals/today': { ...full['/api/goals/today'], tasks },
    '/api/friends': { ...full['/api/friends'], sharesState: true, states },
  });
  const friends = await screen.findByRole('link', { name: '친구 2명 집중 중' });
  expect(friends.getAttribute('href')).toBe('/friends');
  expect(await figures()).toMatch(/오늘 할 일1\/2$/u);
});

test.each([
  ['a visit that was left', 1, 47, ['47분 집중 · 오늘 1시간 30분 · 3일째']],
  ['a visit shorter than a minute', 1, 0.9, []],
  ['the visit of another learner of this browser', 2, 47, []],
])('of %s, learner %i, %f minutes, one looks back at %j', async (_, leaver, minutes, lines) => {
  useCurrentRoom.setState({ left: { userId: UserId.parse(leaver), atMs: NOW_MS } });
  const visit = { focusMs: minutes * 60_000, awayMs: 0, endedAtMs: NOW_MS };
  await show({ ...full, '/api/statistics/look-back': { visit, streakDays: 3, nextTitle: null } });
  await screen.findByText('마지막 이용 11월 20일 오후 2:00 · 집중 47분');
  await vi.waitFor(() => {
    const goodbye = screen.queryByRole('region', { name: '수고했어요' });
    const line = goodbye && within(goodbye).getByRole('status').textContent;
    expect(line === null ? [] : [line]).toEqual(lines);
  });
  if (lines.length === 0) return;
  // An effect moves it after the section is drawn.
  await vi.waitFor(() => {
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: '수고했어요' }));
  });
  expect(screen.getByRole('link', { name: '기록 보기' }).getAttribute('href')).toBe('/statistics');
  await act(async () => screen.getByRole('button', { name: '닫기' }).click());
  expect(screen.queryByRole('region', { name: '수고했어요' })).toBeNull();
});

test('a reached goal is part of the summary', async () => {
  useCurrentRoom.setState({ left: { userId: UserId.parse(1), atMs: NOW_MS } });
  const visit = { focusMs: 47 * 60_000, awayMs: 0, endedAtMs: NOW_MS };
  await show({
    ...full,
    '/api/goals/today': { ...full['/api/goals/today'], targetMinutes: 90 },
    '/api/statistics/look-back': { visit, streakDays: 3, nextTitle: null },
  });
  const goodbye = within(await screen.findByRole('region', { name: '수고했어요' }));
  await vi.waitFor(() =>
    expect(goodbye.getByRole('status').textContent).toBe(
      '47분 집중 · 오늘 1시간 30분 · 오늘 목표 달성 · 3일째',
    ),
  );
});

test('of a visit that began before midnight, the time after it counts for today', async () => {
  useCurrentRoom.setState({ left: { userId: UserId.parse(1), atMs: NOW_MS } });
  const today = full['/api/user/stat/today-study-time'];
  const minute = { ...today, focusMs: 60_000, todayStudyTime: 60, runningSinceMs: null };
  const endedAtMs = today.dayStartsAtMs + 5 * 60_000;
  await show({
    ...full,
    '/api/user/stat/today-study-time': minute,
    '/api/statistics/look-back': {
      visit: { focusMs: 47 * 60_000, awayMs: 0, endedAtMs },
      streakDays: 2,
      nextTitle: null,
    },
  });
  const goodbye = within(await screen.findByRole('region', { name: '수고했어요' }));
  await goodbye.findByText('오늘 5분');
});

test('the tasks of today are ticked on leaving, and none are added there', async () => {
  useCurrentRoom.setState({ left: { userId: UserId.parse(1), atMs: NOW_MS } });
  const goal = {
    ...full['/api/goals/today'],
    tasks: [
      { text: '수학 p. 40', isDone: false },
      { text: '영어 단어', isDone: true },
    ],
  };
  const visit = { focusMs: 47 * 60_000, awayMs: 0, endedAtMs: NOW_MS };
  const api = await show({
    ...full,
    '/api/goals/today': goal,
    '/api/statistics/look-back': { visit, streakDays: 3, nextTitle: null },
  });
  const goodbye = within(await screen.findByRole('region', { name: '수고했어요' }));
  const tasks = within(await goodbye.findByRole('list', { name: '오늘 할 일' }));
  const saved = goal.tasks.map((task) => ({ ...task, isDone: true }));
  api.answers['/api/goals/today'] = { ...goal, tasks: saved, version: 2 };
  await act(async () => tasks.getByRole('checkbox', { name: '수학 p. 40' }).click());
  const ticks = tasks.getAllByRole<HTMLInputElement>('checkbox').map(({ checked }) => checked);
  expect(ticks).toEqual([true, true]);
  expect(api.asked).toContain('PUT /api/goals/today');
  expect(goodbye.queryByRole('textbox')).toBeNull();
});

test('a learner seated in another tab or device is led back, and not counted among the others', async () => {
  await show({ ...full, '/api/statistics/visits': lastVisit({ ...ended, endedAtMs: null }) });
  const back = await screen.findByRole('link', { name: '내 자리로 돌아가기' });
  expect(back.getAttribute('href')).toBe('/studyroom/3');
  expect(screen.getByText('나 말고 3명이 함께 공부하고 있어요')).toBeTruthy();
  expect(await screen.findByText('11월 20일 오후 2:00부터 앉아 있어요')).toBeTruthy();
  expect(litDesks()).toBe(4);
  expect(screen.queryByRole('button', { name: '스터디룸 입장하기' })).toBeNull();
});

test.each([
  ['leaving here leads in at once', { ...ended, id: 9 }, '스터디룸 입장하기', 'button'],
  ['a failed leave leads back', { ...ended, endedAtMs: null }, '내 자리로 돌아가기', 'link'],
])('%s, without the next refresh', async (_, after, name, role) => {
  const api = await show({
    ...full,
    '/api/statistics/visits': lastVisit({ ...ended, endedAtMs: null }),
  });
  await screen.findByRole('link', { name: '내 자리로 돌아가기' });
  act(() => useCurrentRoom.setState({ leavingRoomId: ended.roomId }));
  expect(screen.getByRole('button', { name: '스터디룸 입장하기' })).toBeTruthy();
  api.answers['/api/statistics/visits'] = lastVisit(after);
  act(() => useCurrentRoom.setState({ leavingRoomId: null }));
  expect(screen.queryByRole('link', { name: '내 자리로 돌아가기' })).toBeNull();
  expect(await screen.findByRole(role, { name })).toBeTruthy();
  expect(api.asked.filter((asked) => asked.includes('/visits'))).toHaveLength(2);
});

test('a learner alone in this tab is not counted as company', async () => {
  const seat = { userId: UserId.parse(1), roomId: RoomId.parse(7), isCameraOn: true };
  useCurrentRoom.setState({ seat });
  await show({ ...full, '/api/study-rooms/liveliness': { ...liveliness, learners: 1 } });
  expect(await screen.findByText('지금은 혼자 공부하고 있어요.')).toBeTruthy();
  const back = screen.getByRole('link', { name: '내 자리로 돌아가기' });
  expect(back.getAttribute('href')).toBe('/studyroom/7');
});

test('a hosted room with the learner’s seat is called by its name', async () => {
  const roomId = RoomId.parse(7);
  const store = createStore(() => ({ about: { name: '토익 새벽반' } }));
  const live = { roomId, store } as unknown as RoomLive;
  const seat = { userId: UserId.parse(1), roomId, isCameraOn: true };
  useCurrentRoom.setState({ seat, live });
  await show(full);
  expect(await screen.findByText('토익 새벽반에 있어요.')).toBeTruthy();
});

const room: RoomCard = {
  roomId: ended.roomId,
  name: '토익 새벽반',
  goal: '',
  category: 'language',
  hostId: null,
  hostName: null,
  learners: 4,
  capacity: 20,
  isPublic: true,
  needsApproval: false,
  needsCamera: false,
};

test.each([
  ['with a seat in their own room', '내 자리로 돌아가기', ended.roomId],
  ['with a seat in another room', '들어가기', RoomId.parse(7)],
])('the way to the room that one opened: %s reads “%s”', async (_, name, roomId) => {
  const hosted = { own: room, rooms: [], total: 0 };
  useCurrentRoom.setState({ seat: { userId: UserId.parse(1), roomId, isCameraOn: true } });
  await show({ ...full, '/api/hosted-rooms': hosted });
  const card = within(await screen.findByRole('region', { name: '내가 연 방' }));
  expect(card.getByRole('link').textContent).toBe(name);
});

test('a hosted room seated in another tab or device is called by its name', async () => {
  await show({
    ...full,
    '/api/statistics/visits': lastVisit({ ...ended, endedAtMs: null }),
    '/api/study-rooms/3/admission': { room, status: 'free' },
  });
  expect(await screen.findByText('토익 새벽반에 있어요.')).toBeTruthy();
});

test('a new learner reads one sentence instead of zeros', async () => {
  await show({
    ...full,
    '/api/study-rooms/liveliness': { ...liveliness, learners: 0 },
    '/api/statistics/visits': lastVisit(),
  });
  expect(await screen.findByText(/^첫 1분부터/u)).toBeTruthy();
  expect(await figures()).toBeUndefined();
  expect(screen.getByText('지금은 공부하는 사람이 없어요. 가장 먼저 시작해 보세요.')).toBeTruthy();
});

test('figures that could not be loaded are marked, with a retry; the button works without them', async () => {
  const api = await show({ ...full, '/api/user/stat/normal': UNAVAILABLE });
  const record = await screen.findByRole('region', { name: '내 기록' });
  const retry = await within(record).findByRole('button', { name: '다시 시도' });
  expect(within(record).getByRole('alert').textContent).toContain('내 기록을 불러오지 못했어요.');
  expect(screen.getByRole('button', { name: '스터디룸 입장하기' })).toBeTruthy();
  api.answers['/api/user/stat/normal'] = full['/api/user/stat/normal'];
  await act(async () => retry.click());
  expect(await within(record).findByText('3일')).toBeTruthy();
});

test('a learner without company reads when others are usually there', async () => {
  const hours = [9, 10, 11].map((hour, index) => ({
    beginsAtMs: NOW_MS + hour * HOUR_MS,
    learners: [3, 12, 10][index],
  }));
  const alone = { ...full, '/api/study-rooms/busy-hours': { hours } };
  const { unmount } = await show({
    ...alone,
    '/api/study-rooms/liveliness': { ...liveliness, learners: 0 },
  });
  // 12:00 in Seoul, and ten hours more.
  expect(await screen.findByText('보통 오후 10시에서 밤 12시 사이에 12명쯤 모여요.')).toBeTruthy();
  unmount();
  queryClient.clear();
  const { asked } = await show(alone);
  await screen.findByText('지금 4명이 공부하고 있어요');
  expect(asked.join()).not.toContain('busy-hours');
});

test('an invitation of a friend leads into their room, or is declined', async () => {
  const from = { userId: 3, nickname: '지우', profileImage: 'default.jpg' };
  const friends = full['/api/friends'];
  const { asked } = await show({
    ...full,
    '/api/friends': { ...friends, friends: [from], invitations: [{ from, roomId: 7 }] },
    '/api/friends/3/invitation': { ...friends, friends: [from] },
  });
  const invited = within(await screen.findByRole('region', { name: '받은 초대' }));
  const link = invited.getByRole('link', { name: '함께 앉기 (지우)' });
  expect(link.getAttribute('href')).toBe('/studyroom/7');
  fireEvent.click(invited.getByRole('button', { name: '괜찮아요 (지우)' }));
  await vi.waitFor(() => expect(screen.queryByRole('region', { name: '받은 초대' })).toBeNull());
  expect(asked).toContain('DELETE /api/friends/3/invitation');
});

test('open rooms are looked for by category and words, and shown again without them', async () => {
  const listed = { own: null, rooms: [room], total: 1 };
  const api = await show({ ...full, '/api/hosted-rooms': listed });
  expect(await screen.findByText('토익 새벽반')).toBeTruthy();
  api.answers['/api/hosted-rooms'] = { ...listed, rooms: [], total: 0 };
  expect(screen.queryByRole('searchbox')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: '방 찾기' }));
  fireEvent.click(screen.getByRole('radio', { name: '개발' }));
  expect(await screen.findByText(/^검색 결과가 없어요/u)).toBeTruthy();
  const words = screen.getByRole('searchbox', { name: '이름이나 목표에 있는 말' });
  fireEvent.change(words, { target: { value: ' 알고리즘 ' } });
  await act(async () => screen.getByRole('button', { name: '찾기' }).click());
  await vi.waitFor(() => {
    const { searchParams } = new URL(api.asked.at(-1)?.split(' ')[1] ?? '', 'http://localhost');
    expect(Object.fromEntries(searchParams)).toEqual({
      page: '1',
      category: 'development',
      text: '알고리즘',
    });
  });
  api.answers['/api/hosted-rooms'] = listed;
  fireEvent.change(words, { target: { value: '' } });
  fireEvent.click(screen.getByRole('radio', { name: '전체' }));
  expect(await screen.findByText('토익 새벽반')).toBeTruthy();
});

test('the next session of a group is shown in the learner’s zone, and answered there', async () => {
  // 21:00 of the same day in Seoul.
  const startsAtMs = NOW_MS + 9 * HOUR_MS;
  const nextSession = {
    ...{ sessionId: 5, day: today.day, startsAtMs, endsAtMs: startsAtMs + 2 * HOUR_MS },
    ...{ coming: 1, isComing: false },
  };
  const own = { ...card, roomId: 33, isLeader: false, waiting: 0, nudgedBy: null, nextSession };
  const quiet = { ...own, groupId: 8, name: '조용한 반', nextSession: null };
  const path = `/api/groups/7/sessions/5/days/${today.day}`;
  const api = await show({
    ...full,
    '/api/user/stat/today-study-time': { ...today, timeZone: 'America/New_York' },
    '/api/groups': { groups: [own, quiet] },
    [path]: { groupId: 7 },
  });
  const mine = within(await screen.findByRole('region', { name: '스터디 그룹' }));
  const name = '새벽 수능반, 내일 07:00–09:00 갈게요';
  const button = await mine.findByRole('button', { name, pressed: false });
  expect(mine.getByText('1명이 와요')).toBeTruthy();
  expect(mine.getAllByRole('listitem')).toHaveLength(2);
  expect(mine.getAllByRole('button')).toEqual([button]);
  const answer = async (isComing: boolean) => {
    const answered = { ...nextSession, isComing, coming: isComing ? 2 : 1 };
    api.answers['/api/groups'] = { groups: [{ ...own, nextSession: answered }] };
    await act(async () => mine.getByRole('button', { name }).click());
    await mine.findByRole('button', { name, pressed: isComing });
    expect(api.sent.at(-1)).toEqual({ path, body: { isComing } });
  };
  await answer(true);
  expect(mine.getByText('2명이 와요')).toBeTruthy();
  await answer(false);
});
