import {
  HOUR_MS,
  type Statistics,
  type StudyDays,
  StudySubjects,
  type Today,
  UserId,
  type Visit,
  type Weeks,
} from '@mogakgong/contract';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { UNAVAILABLE } from '../../../testing/fake-api.ts';
import { LEARNER, logIn } from '../../../testing/log-in.ts';
import { showPage } from '../../../testing/show-page.tsx';
import { useCurrentRoom } from '../../room/live/current-room.ts';
import { queryClient } from '../../shared/api/query.ts';
import { takeToday } from '../../shared/today/today.ts';
import { StatisticsPage } from './statistics-page.tsx';

/** A Saturday, 12:00 in Seoul. */
const NOW_MS = Date.UTC(2026, 10, 21, 3);
const DAY_START_MS = NOW_MS - 12 * HOUR_MS;

const today: Today = {
  todayStudyTime: 3_600,
  day: '2026-11-21',
  timeZone: 'Asia/Seoul',
  focusMs: HOUR_MS,
  runningSinceMs: null,
  dayStartsAtMs: DAY_START_MS,
  dayEndsAtMs: DAY_START_MS + 24 * HOUR_MS,
  serverNowMs: NOW_MS,
};
const statistics = {
  userId: 1,
  nickname: '김모각',
  totalStudyTime: 90 * 60,
  totalAwayTime: 10 * 60,
  totalAttendanceDays: 3,
  continueAttendanceDays: 2,
  lastAttendanceDate: '2026-11-21',
  longestAttendanceDays: 5,
} as Statistics;
const days: StudyDays = {
  today: '2026-11-21',
  days: [
    { day: '2026-10-05', focusMs: HOUR_MS / 2, awayMs: 0, manualMs: 0 },
    { day: '2026-11-20', focusMs: HOUR_MS / 2, awayMs: 10 * 60_000, manualMs: 0 },
    { day: '2026-11-21', focusMs: HOUR_MS, awayMs: 0, manualMs: 0 },
  ],
};
const visit = {
  id: 7,
  roomId: 3,
  beganAtMs: NOW_MS - 2 * HOUR_MS,
  endedAtMs: NOW_MS - HOUR_MS,
  focusMs: 50 * 60_000,
  awayMs: 10 * 60_000,
  intervals: [
    {
      status: 'focus',
      startedAtMs: NOW_MS - 2 * HOUR_MS,
      endedAtMs: NOW_MS - 70 * 60_000,
      cause: 'learner',
      timeZone: 'Asia/Seoul',
    },
    {
      status: 'away',
      startedAtMs: NOW_MS - 70 * 60_000,
      endedAtMs: NOW_MS - HOUR_MS,
      cause: 'silence',
      timeZone: 'Asia/Seoul',
    },
  ],
  hasEarlier: false,
} as unknown as Visit;

const noHours = Array.from({ length: 24 }, () => 0);
const full = {
  '/api/user/stat/today-study-time': today,
  '/api/user/stat/normal': statistics,
  '/api/statistics/days': days,
  '/api/statistics/hours': { focusMs: noHours.with(21, HOUR_MS) },
  '/api/statistics/visits': { visits: [visit], hasOlder: false, serverNowMs: NOW_MS },
  '/api/statistics/weeks': {
    today: '2026-11-21',
    thisWeek: [
      { day: '2026-11-20', focusMs: HOUR_MS / 2 },
      { day: '2026-11-21', focusMs: HOUR_MS },
    ],
    lastWeek: [{ day: '2026-11-14', focusMs: 2 * HOUR_MS }],
    lastWeekUntilMs: NOW_MS - 7 * 24 * HOUR_MS,
    hasEarlier: true,
  } satisfies Weeks,
  '/api/goals/today': {
    targetMinutes: 60,
    tasks: [],
    isVisible: false,
    day: '2026-11-21',
    version: 1,
  },
  '/api/user/settings/focus': {
    timeZone: 'Asia/Seoul',
    dayStartMinutes: 240,
    startsOnEntering: true,
  },
};
const nothing = {
  ...full,
  '/api/user/stat/today-study-time': { ...today, todayStudyTime: 0, focusMs: 0 },
  '/api/user/stat/normal': {
    ...statistics,
    totalStudyTime: 0,
    totalAwayTime: 0,
    totalAttendanceDays: 0,
    continueAttendanceDays: 0,
    lastAttendanceDate: null,
    longestAttendanceDays: 0,
  },
  '/api/statistics/days': { today: '2026-11-21', days: [] },
  '/api/statistics/hours': { focusMs: noHours },
  '/api/statistics/visits': { visits: [], hasOlder: false, serverNowMs: NOW_MS },
};

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  logIn();
});

async function show(answers: Record<string, unknown>) {
  const page = (
    <main>
      <StatisticsPage />
    </main>
  );
  const api = await showPage(page, answers);
  await screen.findByText('내 공부 기록');
  await vi.waitFor(() => {
    expect(screen.queryByText('불러오는 중')).toBeNull();
    expect(queryClient.isFetching()).toBe(0);
  });
  return api;
}

/** By its heading: a query by role reads every square of the year. */
const headingOf = (name: string) => screen.queryByText(name, { selector: 'h2' });
function panel(name: string) {
  const section = headingOf(name)?.closest('section');
  if (!section) throw new Error(`there is no panel ${name}`);
  return within(section);
}

test('totals, week and best hours are given as text', async () => {
  await show(full);
  expect(panel('오늘').getByRole('timer').textContent).toBe('1:00:00');
  expect(panel('오늘').getByText(/어제는 30분/u)).toBeTruthy();
  expect(panel('지금까지').getByText('1시간 30분')).toBeTruthy();
  expect(panel('지금까지').getByText('출석한 날 평균').parentElement?.textContent).toMatch(
    /30분$/u,
  );
  expect(panel('일별 집중 시간').getByText('이번 주 집중 1시간 30분 · 2일')).toBeTruthy();
  expect(panel('집중이 잘되는 시간').getByText(/^21시–22시에 가장 많이/u)).toBeTruthy();
  expect(panel('연속 출석').getByText('가장 길었던 기록 5일')).toBeTruthy();
  expect(panel('연속 출석').getByText(/하루는 04:00에 시작해요 \(Asia\/Seoul/u)).toBeTruthy();
});

test('less than a minute is no day of attendance, in text and in squares, and is given in seconds', async () => {
  const short = { day: '2026-11-21', focusMs: 50_000, awayMs: 0 };
  const before = { day: '2026-10-05', focusMs: 59_999, awayMs: 0 };
  await show({ ...full, '/api/statistics/days': { ...days, days: [before, short] } });
  expect(panel('일별 집중 시간').getByText('이번 주 집중 50초 · 0일')).toBeTruthy();
  expect(panel('지난 1년').getByText(/^아직 공부한 날이 없어요/u)).toBeTruthy();
  const levels = [...document.querySelectorAll('[data-day][data-level]:not([data-level="0"])')];
  expect(levels).toEqual([]);
  expect(panel('연속 출석').queryByText(/: 출석$/u)).toBeNull();
  const axis = panel('일별 집중 시간').getByRole('slider').textContent;
  expect(axis).toContain('015초30초45초1분');
});

test('without a goal seconds of today do not fill a bar', async () => {
  const seconds = { ...today, todayStudyTime: 30, focusMs: 30_000 };
  const none = { ...full['/api/goals/today'], targetMinutes: null };
  await show({ ...full, '/api/user/stat/today-study-time': seconds, '/api/goals/today': none });
  await vi.waitFor(() =>
    expect(headingOf('오늘')?.closest('section')?.textContent).toContain('015분30분45분1시간'),
  );
});

test('today and the week stand against their goals, with time entered by hand beside them', async () => {
  const manual = { day: '2026-11-21', focusMs: HOUR_MS, awayMs: 0, manualMs: HOUR_MS / 2 };
  await show({
    ...full,
    '/api/user/stat/today-study-time': { ...today, manualMs: HOUR_MS / 2 },
    '/api/statistics/days': { ...days, days: [...days.days.slice(0, -1), manual] },
    '/api/goals/today': { ...full['/api/goals/today'], targetMinutes: 120, weekMinutes: 600 },
  });
  const text = () => headingOf('오늘')?.closest('section')?.textContent;
  await vi.waitFor(() => expect(text()).toContain('오늘 목표1시간 / 2시간 · 50%+ 직접 입력 30분'));
  expect(text()).toContain('주간 목표1시간 30분 / 10시간 · 15%+ 직접 입력 30분');
});

test('forgotten time has a part of its own in the bars of days, in their legend, and in their reading', async () => {
  const manual = { day: '2026-11-19', focusMs: 0, awayMs: 0, manualMs: HOUR_MS / 2 };
  await show({ ...full, '/api/statistics/days': { ...days, days: [...days.days, manual] } });
  const bars = panel('일별 집중 시간');
  const chart = bars.getByRole('slider');
  const parts = [...chart.querySelectorAll<HTMLElement>('[data-part]')].map((part) => [
    part.dataset.part,
    part.className.includes('by-hand'),
  ]);
  const marked = parts.filter(([, isMarked]) => isMarked);
  expect([parts.length, marked]).toEqual([4, [['manual', true]]]);
  expect(bars.getByText('직접 입력', { selector: 'dt' }).nextSibling?.textContent).toBe('30분');
  fireEvent.keyDown(chart, { key: 'ArrowLeft' });
  fireEvent.keyDown(chart, { key: 'ArrowLeft' });
  expect(chart.getAttribute('aria-valuetext')).toBe('11월 19일 (목): 직접 입력 30분');
});

test('in the first week one sentence and today’s bar replace the charts', async () => {
  const todayMs = 50_000;
  await show({
    ...full,
    '/api/user/stat/today-study-time': { ...today, todayStudyTime: 50, focusMs: todayMs },
    '/api/statistics/days': {
      today: '2026-11-21',
      days: [
        { day: '2026-11-15', focusMs: HOUR_MS, awayMs: HOUR_MS },
        { day: '2026-11-21', focusMs: todayMs, awayMs: 0 },
      ],
    },
  });
  expect(screen.getByText(/^첫 주예요. 지금까지 1시간 집중했어요./u)).toBeTruthy();
  expect(headingOf('오늘')?.closest('section')?.textContent).toContain(
    '오늘 목표50초 / 1시간 · 1%',
  );
  for (const name of ['지금까지', '일별 집중 시간', '지난 1년', '집중이 잘되는 시간']) {
    expect(headingOf(name)).toBeNull();
  }
  expect(headingOf('연속 출석')).toBeTruthy();
  expect(headingOf('이용 기록')).toBeTruthy();
});

test('after the first week the charts are there', async () => {
  const first = { day: '2026-11-14', focusMs: HOUR_MS, awayMs: 0 };
  await show({ ...full, '/api/statistics/days': { today: '2026-11-21', days: [first] } });
  expect(screen.queryByText(/^첫 주예요/u)).toBeNull();
  expect(headingOf('일별 집중 시간')).toBeTruthy();
});

test('on a Monday without study the bars cover the month, and no card is offered', async () => {
  const idle = { ...today, day: '2026-11-23', todayStudyTime: 0, focusMs: 0 };
  await show({
    ...full,
    '/api/user/stat/today-study-time': idle,
    '/api/statistics/days': { ...days, today: idle.day },
  });
  const bars = panel('일별 집중 시간');
  expect(bars.getByLabelText<HTMLInputElement>('이번 달').checked).toBe(true);
  expect(bars.getByText('이번 달 집중 1시간 30분 · 2일')).toBeTruthy();
  expect(screen.queryByText('공유 카드')).toBeNull();
  fireEvent.click(bars.getByLabelText('이번 주'));
  expect(bars.getByText('이번 주에는 아직 공부한 시간이 없어요.')).toBeTruthy();
});

test.each([
  ['2025-01-01', 14, 12],
  ['2026-11-20', 2, 0],
  ['2026-11-21', 2, 0],
])(
  'of a learner since %s, %i days have a lamp, %i of them without study',
  async (firstDay, count, missed) => {
    await show({ ...full, '/api/statistics/days': { ...days, firstDay } });
    const lamps = panel('연속 출석').getByRole('list', { name: `최근 ${count}일` });
    const texts = [...lamps.children].map(({ textContent }) => textContent ?? '');
    expect(texts).toHaveLength(count);
    expect(texts.filter((text) => text.endsWith(': 출석하지 않음'))).toHaveLength(missed);
  },
);

describe('a day that starts at 05:00', () => {
  const [night, day] = ['2026-11-20T15:30:00Z', '2026-11-20T05:00:00Z'].map(Date.parse) as [
    number,
    number,
  ];
  const visitsAt = (...moments: readonly number[]) => ({
    visits: moments.map((startedAtMs, index) => ({
      ...visit,
      id: 7 - index,
      intervals: [{ ...visit.intervals[0], startedAtMs, endedAtMs: startedAtMs + HOUR_MS }],
    })),
    hasOlder: false,
    serverNowMs: NOW_MS,
  });
  const settings = { ...full['/api/user/settings/focus'], dayStartMinutes: 0 };
  const late = {
    ...full,
    '/api/user/settings/focus': settings,
    '/api/statistics/visits': visitsAt(night, night - 24 * HOUR_MS),
  };
  const offer = () => screen.queryByRole('region', { name: '자정을 넘겨 공부하는 날이 있네요.' });
  beforeEach(() => localStorage.clear());

  test('is offered to a learner of two late nights, saved by one press, and then no more', async () => {
    const api = await show(late);
    api.answers['/api/user/settings/focus'] = { ...settings, dayStartMinutes: 300 };
    const accept = await screen.findByRole('button', { name: '05:00로 바꾸기' });
    await act(async () => accept.click());
    expect(api.asked).toContain('PUT /api/user/settings/focus');
    expect(offer()).toBeNull();
    expect(panel('연속 출석').getByText(/하루는 05:00에 시작해요/u)).toBeTruthy();
  });

  test('is refused for good in this browser', async () => {
    const { unmount } = await show(late);
    fireEvent.click(await screen.findByRole('button', { name: '괜찮아요' }));
    expect(offer()).toBeNull();
    unmount();
    await show(late);
    expect(offer()).toBeNull();
  });

  test.each([
    ['one late night', { '/api/statistics/visits': visitsAt(night, night + HOUR_MS, day) }],
    ['nights long ago', { '/api/statistics/visits': visitsAt(night, night - 8 * 24 * HOUR_MS) }],
    ['days by another rule', { '/api/user/settings/focus': { ...settings, dayStartMinutes: 30 } }],
    [
      'another zone, in which it was day',
      { '/api/user/settings/focus': { ...settings, timeZone: 'America/New_York' } },
    ],
  ])('is not offered after %s', async (_, answers) => {
    await show({ ...late, ...answers });
    expect(offer()).toBeNull();
  });
});

test('every chart is also a table', async () => {
  await show(full);
  fireEvent.click(screen.getByLabelText('이번 주 일별 기록, 표로 보기'));
  const rows = panel('일별 집중 시간').getAllByRole('row');
  expect(rows.map((row) => row.textContent)).toEqual([
    '날짜집중자리 비움',
    '11월 16일 (월)0분0분',
    '11월 17일 (화)0분0분',
    '11월 18일 (수)0분0분',
    '11월 19일 (목)0분0분',
    '11월 20일 (금)30분10분',
    '11월 21일 (토)1시간0분',
  ]);
  fireEvent.click(screen.getByLabelText('지난 1년, 표로 보기'));
  expect(panel('지난 1년').getAllByRole('row')).toHaveLength(4);
  fireEvent.click(screen.getByLabelText('집중이 잘되는 시간, 표로 보기'));
  expect(panel('집중이 잘되는 시간').getAllByRole('row')).toHaveLength(25);
});

test('this week is compared with last week, as text and as a table', async () => {
  await show(full);
  const weeks = panel('지난주와 비교');
  const sentence = '이번 주는 지금까지 1시간 30분, 지난주는 같은 시점까지 2시간 집중했어요.';
  expect(weeks.getByText(sentence)).toBeTruthy();
  const rule =
    '한 주는 월요일 04:00에 시작해요. 지난주는 11월 14일 (토) 오후 12:00까지의 기록이에요 (Asia/Seoul 기준).';
  expect(weeks.getByText(rule)).toBeTruthy();
  fireEvent.click(weeks.getByLabelText('지난주와 비교, 표로 보기'));
  const rows = weeks.getAllByRole('row').map((row) => row.textContent);
  expect(rows).toHaveLength(8);
  expect(rows.slice(-3)).toEqual(['금요일30분0분', '토요일1시간2시간', '합계1시간 30분2시간']);
});

test('two weeks without focus show one sentence and no figures', async () => {
  const weeks = { ...full['/api/statistics/weeks'], thisWeek: [], lastWeek: [] };
  await show({ ...full, '/api/statistics/weeks': weeks });
  const text = headingOf('지난주와 비교')?.closest('section')?.textContent;
  expect(text).toBe('지난주와 비교이번 주에도, 지난주 같은 시점까지도 집중한 시간이 없어요.');
});

test.each([
  ['today', today.day],
  ['before today only', '2026-11-18'],
])('without a subject there is no period to choose: focus %s', async (_, day) => {
  const subjects = [{ id: null, name: null, isRemoved: false, focusMs: HOUR_MS }];
  const days = [{ day, focusMs: [HOUR_MS] }];
  const answer = StudySubjects.parse({ today: today.day, subjects, days });
  await show({ ...full, '/api/statistics/subjects': answer });
  const chart = panel('과목별 집중 시간');
  await chart.findByText(/‘내 책상’에서 과목을 고르면/u);
  expect(chart.queryByRole('radio')).toBeNull();
});

test('bars of subjects are shares of the focus in the chosen period', async () => {
  const subjects = [
    { id: 3, name: '수학', isRemoved: false, focusMs: 2 * HOUR_MS },
    { id: null, name: null, isRemoved: false, focusMs: HOUR_MS },
  ];
  const days = [
    { day: '2026-11-18', focusMs: [2 * HOUR_MS, 0.25 * HOUR_MS] },
    { day: today.day, focusMs: [0, 0.75 * HOUR_MS] },
  ];
  const answer = StudySubjects.parse({ today: today.day, subjects, days });
  await show({ ...full, '/api/statistics/subjects': answer });
  const chart = panel('과목별 집중 시간');
  const shares = () =>
    chart.getAllByRole('listitem').map(({ textContent }) => textContent?.match(/\d+%/u)?.[0]);
  fireEvent.click(await chart.findByRole('radio', { name: '7일' }));
  expect(shares()).toEqual(['67%', '33%']);
  fireEvent.click(chart.getByRole('radio', { name: '오늘' }));
  expect(chart.queryByText('수학')).toBeNull();
});

test('charts are read with arrow keys, starting today', async () => {
  await show(full);
  const chart = panel('일별 집중 시간').getByRole('slider');
  expect(chart.getAttribute('aria-valuetext')).toBe('11월 21일 (토): 집중 1시간');
  fireEvent.keyDown(chart, { key: 'ArrowLeft' });
  const read = '11월 20일 (금): 집중 30분, 자리 비움 10분';
  expect(chart.getAttribute('aria-valuetext')).toBe(read);
  expect(panel('일별 집중 시간').getByText(read)).toBeTruthy();
  fireEvent.keyDown(chart, { key: 'Home' });
  expect(chart.getAttribute('aria-valuetext')).toBe('11월 16일 (월): 기록 없음');

  const year = panel('지난 1년').getByRole('slider');
  fireEvent.keyDown(year, { key: 'ArrowUp' });
  expect(year.getAttribute('aria-valuetext')).toMatch(/11월 20일 금요일: 집중 30분/u);
});

test('a visit shows the intervals that its numbers sum', async () => {
  await show(full);
  const visits = panel('이용 기록');
  const [inner] = visits.getAllByRole('listitem').slice(1);
  expect(inner?.textContent).toBe('집중오전 10:00:00–오전 10:50:000:50:00');
  expect(visits.getByText(/연결이 끊겨 자동 전환/u)).toBeTruthy();
  expect(visits.getByText('합계: 집중 0:50:00 · 자리 비움 0:10:00')).toBeTruthy();
});

test('a visit shows times in the zone it was counted in, and says so', async () => {
  const far = visit.intervals.map((interval) => ({ ...interval, timeZone: 'America/New_York' }));
  await show({
    ...full,
    '/api/statistics/visits': {
      visits: [{ ...visit, intervals: far }],
      hasOlder: false,
      serverNowMs: NOW_MS,
    },
  });
  const visits = panel('이용 기록');
  expect(visits.getByText('11월 20일 (금)')).toBeTruthy();
  expect(visits.getByText('시각은 America/New_York 기준이에요.')).toBeTruthy();
});

test('a running visit grows, and every figure is loaded again with today', async () => {
  const lasting = {
    ...visit,
    endedAtMs: null,
    intervals: [{ ...visit.intervals[0], startedAtMs: NOW_MS - HOUR_MS, endedAtMs: null }],
  };
  const page = { visits: [lasting], hasOlder: true, serverNowMs: NOW_MS };
  const older = { visits: [{ ...visit, id: 6 }], hasOlder: false, serverNowMs: NOW_MS };
  const api = await show({ ...full, '/api/statistics/visits': page });
  const visits = panel('이용 기록');
  vi.setSystemTime(NOW_MS + 60_000);
  const askedBefore = api.asked.filter((to) => to.includes('visits')).length;
  api.answers['/api/statistics/visits'] = {
    ...page,
    visits: [{ ...lasting, focusMs: 51 * 60_000 }],
    serverNowMs: NOW_MS + 60_000,
  };
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(visits.getByText('합계: 집중 0:51:00 · 자리 비움 0:10:00')).toBeTruthy();
  await vi.waitFor(() =>
    expect(api.asked.filter((to) => to.includes('visits'))).toHaveLength(askedBefore + 1),
  );
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));

  api.answers['/api/statistics/visits'] = older;
  fireEvent.click(visits.getByText('이전 기록 더 보기'));
  fireEvent.click(visits.getByText('이전 기록 더 보기'));
  await vi.waitFor(() => expect(visits.getAllByText('11월 21일 (토)')).toHaveLength(2));
  expect(visits.queryByText('이전 기록 더 보기')).toBeNull();

  const ended = { ...lasting, endedAtMs: NOW_MS + 60_000, focusMs: 52 * 60_000 };
  api.answers['/api/statistics/visits'] = { ...page, visits: [ended] };
  api.answers['/api/user/stat/normal'] = { ...statistics, totalStudyTime: 3 * 3_600 };
  const later = { ...today, focusMs: HOUR_MS + 60_000, serverNowMs: NOW_MS + 60_000 };
  act(() => takeToday(UserId.parse(LEARNER.userId), later));
  expect(await panel('지금까지').findByText('3시간')).toBeTruthy();
  await vi.waitFor(() => expect(visits.getAllByText('52분')).toHaveLength(1));
  expect(visits.getAllByText('11월 21일 (토)')).toHaveLength(2);
});

test('a learner without any focus is invited, and sees no charts of zeros', async () => {
  await show(nothing);
  expect(panel('오늘').getByText('아직 공부한 시간이 없어요')).toBeTruthy();
  expect(panel('오늘').getByRole('link').getAttribute('href')).toBe('/main');
  expect(screen.getByText(/^반가워요!/u)).toBeTruthy();
  expect(screen.getAllByText(/^아직|0분/u)).toHaveLength(1);
  expect(panel('연속 출석').getByText('출석은 이렇게 계산해요')).toBeTruthy();
  expect(headingOf('이용 기록')).toBeNull();
  expect(headingOf('과목별 집중 시간')).toBeNull();
  expect(screen.queryByText('공유 카드')).toBeNull();
  expect(headingOf('지금까지')).toBeNull();
  expect(headingOf('일별 집중 시간')).toBeNull();
  expect(headingOf('지난 1년')).toBeNull();
  expect(screen.queryByText('표로 보기')).toBeNull();
});

test('every figure is loaded again on returning to the page, and when a seat is given up', async () => {
  const api = await show(full);
  const asked = (part: string) => api.asked.filter((to) => to.includes(part)).length;
  const parts = ['stat/normal', 'statistics/days', 'statistics/hours', 'statistics/visits'];
  const before = parts.map(asked);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await vi.waitFor(() => expect(parts.map(asked)).toEqual(before.map((count) => count + 1)));

  act(() => useCurrentRoom.setState({ leavingRoomId: visit.roomId }));
  expect(parts.map(asked)).toEqual(before.map((count) => count + 1));
  act(() => useCurrentRoom.setState({ leavingRoomId: null }));
  await vi.waitFor(() => expect(parts.map(asked)).toEqual(before.map((count) => count + 2)));
});

test('a failed load is reported and can be tried again', async () => {
  const api = await show({ ...full, '/api/user/stat/normal': UNAVAILABLE });
  const totals = panel('지금까지');
  expect(totals.getByRole('alert').textContent).toContain('불러오지 못했어요');
  const retry = totals.getByRole('button', { name: '다시 시도' });
  retry.focus();
  fireEvent.click(retry);
  await vi.waitFor(() => expect(api.asked.filter((to) => to.includes('normal'))).toHaveLength(2));
  expect(document.activeElement).toBe(retry);
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
  await vi.waitFor(() => expect(retry.getAttribute('aria-busy')).not.toBe('true'));
  api.answers['/api/user/stat/normal'] = statistics;
  fireEvent.click(retry);
  expect(await totals.findByText('1시간 30분')).toBeTruthy();
  await vi.waitFor(() => expect(document.activeElement).toBe(headingOf('지금까지')));
});

test('two failed answers remove no panel that has its figures', async () => {
  await show({
    ...full,
    '/api/statistics/weeks': UNAVAILABLE,
    '/api/user/settings/focus': UNAVAILABLE,
  });
  expect(panel('지금까지').getByText('1시간 30분')).toBeTruthy();
  expect(panel('지난주와 비교').getByRole('alert').textContent).toContain('불러오지 못했어요');
  expect(screen.queryByText(/인터넷 연결을/u)).toBeNull();
});

test('without a server one notice replaces all panels, and reloads all of them', async () => {
  const unavailable = Object.fromEntries(Object.keys(full).map((path) => [path, UNAVAILABLE]));
  const api = await show(unavailable);
  expect(screen.getByRole('alert').textContent).toMatch(/^불러오지 못했어요인터넷 연결을/u);
  expect(headingOf('오늘')).toBeNull();
  const retry = screen.getByRole('button', { name: '다시 시도' });
  retry.focus();
  fireEvent.click(retry);
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(document.activeElement).toBe(retry);
  Object.assign(api.answers, full);
  await vi.waitFor(() => expect(retry.getAttribute('aria-busy')).not.toBe('true'));
  fireEvent.click(retry);
  expect(await screen.findByText('오늘', { selector: 'h2' })).toBeTruthy();
  expect(screen.queryByText(/인터넷 연결을/u)).toBeNull();
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('내 공부 기록'));
});

test('the study record of the chosen period is saved as a CSV file', async () => {
  const saved: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push(`${this.download} ${this.href}`);
  });
  const api = await show({ ...full, '/api/statistics/export': 'visit,room\r\n7,3\r\n' });
  const record = panel('공부 기록 내려받기');
  expect(screen.getAllByText(/^CSV/u)).toHaveLength(1);
  fireEvent.change(record.getByLabelText('시작일'), { target: { value: '2026-11-01' } });
  fireEvent.click(record.getByText('CSV 내려받기'));
  await vi.waitFor(() => expect(saved).toEqual(['mogakgong-2026-11-01-2026-11-21.csv blob:file']));
  expect(api.asked).toContain('GET /api/statistics/export?from=2026-11-01&to=2026-11-21');
});
