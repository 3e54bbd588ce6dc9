import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { card, NOW_MS } from '../../../testing/groups.ts';
import { logIn } from '../../../testing/log-in.ts';
import { showPage } from '../../../testing/show-page.tsx';
import { GroupsPage } from './groups-page.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS });
  logIn();
});

const settings = { timeZone: 'Asia/Seoul', dayStartMinutes: 240, startsOnEntering: true };
const nothing = { '/api/groups': { groups: [] }, '/api/groups/listed': { groups: [], total: 0 } };

async function show(answers: Record<string, unknown> = {}) {
  const api = await showPage(<GroupsPage />, {
    ...nothing,
    '/api/user/settings/focus': settings,
    ...answers,
  });
  await screen.findByRole('heading', { level: 1, name: '스터디 그룹' });
  return api;
}

test('a learner without groups reads how to find one, and that none is listed yet', async () => {
  await show();
  expect(await screen.findByText('아직 함께하는 그룹이 없어요')).toBeTruthy();
  expect(await screen.findByText('아직 공개된 그룹이 없어요')).toBeTruthy();
});

test('own groups come first, with live numbers, the exam, waiting requests and a nudge', async () => {
  const own = { ...card, roomId: 33, isLeader: true, waiting: 2, nudgedBy: '서연' };
  await show({ '/api/groups': { groups: [own] } });
  const mine = within(await screen.findByRole('region', { name: '내 그룹' }));
  const link = await mine.findByRole('link', { name: /새벽 수능반/u });
  expect(link.getAttribute('href')).toBe('/groups/7');
  expect(link.textContent).toContain('1명 집중 중');
  expect(link.textContent).toContain('D-30');
  expect(link.textContent).toContain('시험까지 30일');
  expect(link.textContent).toContain('평일 5시간 이상 집중');
  expect(link.textContent).toContain('3/50명');
  expect(link.textContent).toContain('가입 요청 2건');
  expect(link.textContent).toContain('서연님이 기다리고 있어요');
});

test('groups are found by words, category and further pages', async () => {
  const { asked, answers } = await show({ '/api/groups/listed': { groups: [card], total: 41 } });
  expect(await screen.findByRole('link', { name: /새벽 수능반/u })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '더 보기' }));
  await waitFor(() => expect(asked).toContain('GET /api/groups/listed?page=2'));
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: ' 토익 ' } });
  answers['/api/groups/listed'] = { groups: [], total: 0 };
  fireEvent.click(screen.getByRole('button', { name: '찾기' }));
  expect(await screen.findByText(/^검색 결과가 없어요/u)).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: '어학' }));
  const words = encodeURIComponent('토익');
  await waitFor(() =>
    expect(asked).toContain(`GET /api/groups/listed?page=1&text=${words}&category=language`),
  );
});

test('own groups are marked among others, and full ones come last', async () => {
  const full = { ...card, groupId: 8, name: '꽉 찬 반', members: 50 };
  const own = { ...card, roomId: 33, isLeader: false, waiting: 0, nudgedBy: null };
  await show({
    '/api/groups': { groups: [own] },
    '/api/groups/listed': { groups: [full, card], total: 2 },
  });
  const found = within(await screen.findByRole('region', { name: '그룹 찾기' }));
  await found.findByText('내 그룹');
  const texts = found.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(texts).toEqual([
    expect.stringMatching(/^새벽 수능반내 그룹/u),
    expect.stringMatching(/^꽉 찬 반.*정원이 찼어요/u),
  ]);
});

test('a group is made with the days of its maker', async () => {
  const { sent } = await show({ '/api/groups': { groups: [], groupId: 9 } });
  fireEvent.click(screen.getByRole('button', { name: '그룹 만들기' }));
  const dialog = within(await screen.findByRole('dialog', { name: '그룹 만들기' }));
  expect(await dialog.findByText(/그룹의 하루는 04:00에 시작해요/u)).toBeTruthy();
  const submit = () => fireEvent.click(dialog.getByRole('button', { name: '그룹 만들기' }));
  for (const day of ['월요일', '화요일', '수요일', '목요일', '금요일'])
    fireEvent.click(dialog.getByRole('checkbox', { name: day }));
  submit();
  expect(await dialog.findByText('이름을 1~30자로 적어 주세요.')).toBeTruthy();
  expect(dialog.getByText('요일을 하나 이상 골라 주세요.')).toBeTruthy();
  expect(dialog.getByText('분야를 골라 주세요.', { selector: 'p' })).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('분야'), { target: { value: 'csat' } });
  fireEvent.change(dialog.getByLabelText('그룹 이름'), { target: { value: ' 새벽  반 ' } });
  fireEvent.click(dialog.getByRole('checkbox', { name: '토요일' }));
  fireEvent.click(dialog.getByRole('radio', { name: '자리 지키기' }));
  fireEvent.change(dialog.getByLabelText('시작'), { target: { value: '22:30' } });
  fireEvent.change(dialog.getByLabelText('끝'), { target: { value: '01:00' } });
  fireEvent.click(dialog.getByRole('radio', { name: '링크로만' }));
  fireEvent.change(dialog.getByLabelText(/^한 주에 함께/u), { target: { value: '60' } });
  submit();
  await waitFor(() => expect(window.location.pathname).toBe('/groups/9'));
  expect(sent).toEqual([
    {
      path: '/api/groups',
      body: {
        ...{ name: '새벽 반', goal: '', category: 'csat', examDay: null, weekGoalMinutes: 3_600 },
        rule: { kind: 'present', days: [6], minutes: 120, fromMinute: 1_350, untilMinute: 60 },
        ...{ isListed: false, needsApproval: false, hasRanks: false },
        ...{ timeZone: 'Asia/Seoul', dayStartMinutes: 240 },
      },
    },
  ]);
});
