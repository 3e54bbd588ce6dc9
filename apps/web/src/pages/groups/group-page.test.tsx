import { errors, type Group, HOUR_MS, UserId } from '@mogakgong/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Route, Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { refusal } from '../../../testing/fake-api.ts';
import { card, group, ledGroup, member, month, NOW_MS, session } from '../../../testing/groups.ts';
import { LEARNER, logIn } from '../../../testing/log-in.ts';
import { showPage } from '../../../testing/show-page.tsx';
import { reloadGroups } from '../../features/groups/use-groups.ts';
import { Notices } from '../../shared/ui/notices.tsx';
import { GroupPage } from './group-page.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS });
  logIn();
});

const PAGE = '/api/groups/7';

async function show(answers: Record<string, unknown>, path = '/groups/7') {
  const location = memoryLocation({ path, record: true });
  const api = await showPage(
    <Router hook={location.hook}>
      <Route path="/groups/:groupId">
        <GroupPage />
      </Route>
      <Notices />
    </Router>,
    answers,
  );
  return { ...api, location };
}

async function showGroup(shown: Group = group, answers: Record<string, unknown> = {}) {
  const page = await show({
    [PAGE]: shown,
    [`${PAGE}/attendance`]: month,
    [`${PAGE}/sessions`]: { sessions: [session] },
    ...answers,
  });
  await screen.findByRole('heading', { level: 1, name: /새벽 수능반/u });
  return page;
}

const region = async (name: string) => within(await screen.findByRole('region', { name }));
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const confirm = async (title: string, name: string) =>
  fireEvent.click(
    within(await screen.findByRole('alertdialog', { name: title })).getByRole('button', { name }),
  );

test('the head names exam, rule and live numbers, and leads into the room', async () => {
  await showGroup();
  const heading = screen.getByRole('heading', { level: 1 });
  expect(heading.textContent).toContain('시험까지 30일');
  expect(screen.getByText('수능 · 평일 5시간 이상 집중')).toBeTruthy();
  expect(screen.getByText('그룹 방에 1명')).toBeTruthy();
  const enter = screen.getByRole('link', { name: '그룹 방 들어가기' });
  expect(enter.getAttribute('href')).toBe('/studyroom/33');
});

test('members show their state in words, and times that run while they focus', async () => {
  await showGroup();
  const rows = (await region('멤버')).getAllByRole('listitem').map((row) => row.textContent);
  expect(rows).toEqual([
    expect.stringMatching(/서연그룹장집중.*오늘2시간이번 주6시간/u),
    expect.stringMatching(/김모각\(나\)휴식· 그룹 방.*오늘1시간이번 주5시간/u),
    expect.stringMatching(/지우방에 없음.*오늘1시간이번 주9시간/u),
  ]);
});

test('a group with ranks orders its members by the week', async () => {
  await showGroup({ ...group, hasRanks: true });
  const rows = (await region('멤버')).getAllByRole('listitem').map((row) => row.textContent);
  expect(rows.map((text) => text?.slice(0, 3))).toEqual(['11위', '22위', '33위']);
  expect(rows[0]).toContain('지우');
});

test('the week of all members counts hidden ones, and runs by the number that focuses', async () => {
  const others = group.people.filter(({ nickname }) => nickname !== '서연');
  await showGroup({ ...group, people: others, hidden: 1 });
  const goal = await region('함께한 시간');
  expect(goal.getByText('20시간')).toBeTruthy();
  expect(goal.getByText('그중 나는 5시간')).toBeTruthy();
});

test('the goal of the week and the level show how far the group is, and what is left of the level', async () => {
  await showGroup({ ...group, weekGoalMinutes: 50 * 60, totalMs: 45 * HOUR_MS });
  const goal = await region('함께한 시간');
  expect(goal.getByRole('img', { name: '이번 주 목표의 40%' })).toBeTruthy();
  expect(goal.getByText('목표 50시간')).toBeTruthy();
  expect(goal.getByText('그중 나는 5시간')).toBeTruthy();
  const level = goal.getByText('레벨 3').parentElement;
  expect(level?.textContent).toBe('레벨 3다음 레벨까지 함께 45시간');
  const bar = level?.nextElementSibling?.firstElementChild as HTMLElement;
  expect(bar.style.width).toBe('10%');
});

test('a group without a goal of the week has its level alone', async () => {
  await showGroup({ ...group, weekGoalMinutes: null, totalMs: 0 });
  const goal = await region('함께한 시간');
  expect(goal.queryByRole('img')).toBeNull();
  expect(goal.queryByText(/목표/u)).toBeNull();
  expect(goal.getByText('레벨 1')).toBeTruthy();
  expect(goal.getByText('다음 레벨까지 함께 10시간')).toBeTruthy();
});

test('a leader removes the hidden members who do not lead, and reads how many they were', async () => {
  const hidden = { ...ledGroup, hidden: 3, removable: 2 };
  const { asked } = await showGroup(hidden, { [`${PAGE}/members`]: { removed: 1 } });
  const members = await region('멤버');
  expect(members.getByText('차단 때문에 보이지 않는 멤버가 3명 있어요.')).toBeTruthy();
  fireEvent.click(members.getByRole('button', { name: '내보내기' }));
  await confirm('보이지 않는 멤버 2명을 내보낼까요?', '내보내기');
  expect(await screen.findByText('보이지 않던 멤버 1명을 내보냈어요.')).toBeTruthy();
  expect(asked).toContain(`DELETE ${PAGE}/members`);
});

test('hidden leaders cannot be removed, but a leader may step down for them', async () => {
  await showGroup({ ...ledGroup, people: ledGroup.people.slice(0, 1), hidden: 1, leaders: 2 });
  const members = await region('멤버');
  expect(members.queryByRole('button', { name: '내보내기' })).toBeNull();
  expect(screen.getByRole('button', { name: '그룹장 그만두기' })).toBeTruthy();
});

test('a member who is missing is nudged', async () => {
  const { asked } = await showGroup(group, { [`${PAGE}/members/3/nudge`]: { groupId: 7 } });
  expect(screen.queryByRole('button', { name: '서연님 콕 찌르기' })).toBeNull();
  press('지우님 콕 찌르기');
  expect(await screen.findByText(/지우님을 콕 찔렀어요/u)).toBeTruthy();
  expect(asked).toContain('POST /api/groups/7/members/3/nudge');
});

test('a member who waits for the learner is named', async () => {
  await showGroup({ ...group, own: { ...group.own, nudgedBy: '서연' } });
  expect(screen.getByText('서연님이 기다리고 있어요')).toBeTruthy();
});

test('the table of attendance names each day and status, and the sums', async () => {
  const { answers, asked } = await showGroup();
  const table = await screen.findByRole('table', { name: '2026년 11월 출석표' });
  const rows = within(table).getAllByRole('row').slice(1);
  // The own row comes first.
  expect(within(rows[0] as HTMLElement).getByRole('rowheader').textContent).toBe(
    '김모각2/4일연속 2일12시간',
  );
  const cells = within(rows[0] as HTMLElement)
    .getAllByRole('cell')
    .slice(0, 6)
    .map(({ textContent }) => textContent);
  expect(cells).toEqual([
    '',
    '지켰어요, 5시간 10분',
    '일부만',
    '빠졌어요',
    '미리 쉰다고 했어요',
    '',
  ]);
  expect(within(table).getByRole('columnheader', { name: /11월 2일 월요일/u })).toBeTruthy();
  answers[`${PAGE}/attendance`] = { ...month, month: '2026-10' };
  press('이전 달');
  await waitFor(() => expect(asked).toContain('GET /api/groups/7/attendance?month=2026-10'));
  const before = within(await screen.findByRole('table', { name: '2026년 10월 출석표' }));
  // Days in a row run up to today.
  expect(before.queryByText('연속 2일')).toBeNull();
});

/** Shows a group with so many members, and gives its table. */
async function showTableOf(members: number) {
  const people = Array.from({ length: members }, (_, n) => member(n + 1, `멤버${n + 1}`));
  const [first] = month.rows;
  const rows = people.map(({ userId }) => ({ ...first, userId }));
  await showGroup({ ...group, people, members }, { [`${PAGE}/attendance`]: { ...month, rows } });
  return within(await screen.findByRole('table'));
}

test('the table of a large group begins with the own row and ten others', async () => {
  const table = await showTableOf(14);
  expect(table.getAllByRole('rowheader')).toHaveLength(11);
  const attendance = await region('출석');
  fireEvent.click(attendance.getByRole('button', { name: '멤버 14명 모두 보기' }));
  expect(table.getAllByRole('rowheader')).toHaveLength(14);
});

test('a group of 12 needs no press to show everybody', async () => {
  const table = await showTableOf(12);
  expect(table.getAllByRole('rowheader')).toHaveLength(12);
  expect(screen.queryByRole('button', { name: /모두 보기/u })).toBeNull();
});

test('a learner says that they come to a session, and sees who came', async () => {
  const path = `${PAGE}/sessions/5/days/2026-11-27`;
  const { sent } = await showGroup(group, { [path]: { groupId: 7 } });
  const sessions = await region('함께 모이는 시간');
  expect(await sessions.findByText('오늘 21:00–23:00')).toBeTruthy();
  expect(sessions.getByText(/1명이 와요/u).textContent).toContain('서연');
  expect(sessions.getByText(/1명이 왔어요/u).textContent).toContain('지우');
  const come = sessions.getByRole('button', { name: '오늘 21:00–23:00 갈게요' });
  expect(come.getAttribute('aria-pressed')).toBe('false');
  fireEvent.click(come);
  await waitFor(() => expect(sent).toEqual([{ path, body: { isComing: true } }]));
});

test('the address of the calendar is made on demand', async () => {
  const calendar = 'a-calendar-of-twenty-and-more';
  const { answers } = await showGroup(group, { [`${PAGE}/calendar`]: { calendar } });
  await screen.findByText('오늘 21:00–23:00');
  press('캘린더');
  const make = await screen.findByRole('button', { name: '캘린더 주소 만들기' });
  answers[PAGE] = { ...group, own: { ...group.own, calendar } };
  fireEvent.click(make);
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: '캘린더 주소' });
  expect(field.value).toBe(`${window.location.origin}/api/group-calendars/${calendar}`);
});

test('a learner excuses a day, refuses nudges, and leaves', async () => {
  const { sent, asked, location, answers } = await showGroup(group, {
    [`${PAGE}/excuses/2026-11-28`]: { groupId: 7 },
    [`${PAGE}/membership`]: { groupId: 7 },
  });
  fireEvent.click(await screen.findByRole('button', { name: '쉬는 날 알리기' }));
  const day = await screen.findByLabelText('쉬는 날');
  fireEvent.change(day, { target: { value: '2027-03-01' } });
  fireEvent.click(screen.getByRole('button', { name: '알리기' }));
  expect(await screen.findByText('내일부터 60일 안의 날을 골라 주세요.')).toBeTruthy();
  fireEvent.change(day, { target: { value: '2026-11-28' } });
  answers[PAGE] = { ...group, own: { ...group.own, excusedDays: ['2026-11-28'] } };
  fireEvent.click(screen.getByRole('button', { name: '알리기' }));
  await waitFor(() =>
    expect(sent).toContainEqual({
      path: `${PAGE}/excuses/2026-11-28`,
      body: { isExcused: true },
    }),
  );
  const dialog = within(screen.getByRole('dialog'));
  const takeBack = '11월 28일 토요일 쉬는 날 되돌리기';
  fireEvent.click(await dialog.findByRole('button', { name: takeBack }));
  await waitFor(() =>
    expect(sent).toContainEqual({
      path: `${PAGE}/excuses/2026-11-28`,
      body: { isExcused: false },
    }),
  );
  fireEvent.click(dialog.getByText('닫기'));
  fireEvent.click(screen.getByRole('checkbox', { name: /콕 찌르기 받기/u }));
  await waitFor(() =>
    expect(sent).toContainEqual({ path: `${PAGE}/membership`, body: { refusesNudges: true } }),
  );
  press('그룹 나가기');
  await confirm('‘새벽 수능반’ 그룹에서 나갈까요?', '그룹 나가기');
  await waitFor(() => expect(location.history.at(-1)).toBe('/groups'));
  expect(asked).toContain('DELETE /api/groups/7/membership');
});

test('a member has no tools of leaders', async () => {
  await showGroup();
  expect(screen.queryByRole('region', { name: '그룹 관리' })).toBeNull();
  expect(screen.queryByRole('button', { name: '공지 쓰기' })).toBeNull();
  press('지우 메뉴');
  const names = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  expect(names).toEqual(['차단하기']);
});

test('a leader answers requests, pins a notice, and hands the group over', async () => {
  const { sent, asked } = await showGroup(
    { ...ledGroup, waiting: 1 },
    {
      [`${PAGE}/requests`]: {
        askers: [{ userId: 9, nickname: '은우', profileImage: 'default.jpg', askedAtMs: NOW_MS }],
      },
      [`${PAGE}/requests/9`]: { groupId: 7 },
      [`${PAGE}/notice`]: { notice: '카메라를 켜요' },
      [`${PAGE}/members/3/leader`]: { groupId: 7 },
      [`${PAGE}/members/3`]: { groupId: 7 },
    },
  );
  fireEvent.click(await screen.findByRole('button', { name: '은우님의 가입 요청 수락' }));
  expect(await screen.findByText('은우님이 그룹에 들어왔어요.')).toBeTruthy();
  press('공지 쓰기');
  // In the theme of the page, not in the dark one of the head.
  expect(screen.getByRole('dialog').closest('[data-theme]')).toBeNull();
  fireEvent.change(await screen.findByLabelText('공지 내용'), {
    target: { value: '카메라를 켜요' },
  });
  press('올리기');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  press('지우 메뉴');
  fireEvent.click(screen.getByRole('menuitem', { name: '그룹장 넘기기' }));
  await confirm('지우님에게 그룹장을 넘길까요?', '그룹장 넘기기');
  expect(await screen.findByText('지우님에게 그룹장을 넘겼어요.')).toBeTruthy();
  press('지우 메뉴');
  fireEvent.click(screen.getByRole('menuitem', { name: '내보내기' }));
  await confirm('지우님을 그룹에서 내보낼까요?', '내보내기');
  expect(await screen.findByText('지우님을 내보냈어요.')).toBeTruthy();
  expect(sent).toEqual([
    { path: `${PAGE}/requests/9`, body: { isAccepted: true } },
    { path: `${PAGE}/notice`, body: { text: '카메라를 켜요' } },
    { path: `${PAGE}/members/3/leader`, body: { isLeader: true, handsOver: true } },
  ]);
  expect(asked).toContain('DELETE /api/groups/7/members/3');
});

test('a leader who is alone is asked to invite others, with the link', async () => {
  await showGroup({ ...ledGroup, members: 1, people: ledGroup.people.slice(0, 1) });
  const invite = await region('함께할 사람을 초대해 보세요');
  const link = invite.getByRole<HTMLInputElement>('textbox', { name: '초대 링크' });
  expect(link.value).toContain('an-invitation-of-twenty-and-more');
  expect(screen.queryByRole('region', { name: '그룹 관리' })).toBeNull();
});

test('a leader changes the choices and adds a session', async () => {
  const { sent, answers } = await showGroup(ledGroup);
  press('그룹 수정');
  const dialog = within(await screen.findByRole('dialog', { name: '그룹 수정' }));
  expect(dialog.getByLabelText<HTMLInputElement>('그룹 이름').value).toBe('새벽 수능반');
  fireEvent.click(dialog.getByRole('checkbox', { name: /집중 시간 순위/u }));
  // Meanwhile somebody else changes the name, which this leader leaves as it is.
  answers[PAGE] = { ...ledGroup, name: '저녁 수능반' };
  await reloadGroups(UserId.parse(LEARNER.userId));
  await screen.findByRole('heading', { level: 1, name: /저녁 수능반/u, hidden: true });
  fireEvent.click(dialog.getByRole('button', { name: '저장' }));
  const body = { hasRanks: true, name: '저녁 수능반' };
  await waitFor(() => expect(sent).toMatchObject([{ path: PAGE, body }]));
});

test('another learner agrees to what members see before joining', async () => {
  const { sent, answers } = await show({
    [PAGE]: () => refusal('groupMembersOnly'),
    [`${PAGE}/card`]: { group: card, standing: 'none' },
    [`${PAGE}/members`]: { standing: 'member' },
  });
  expect(await screen.findByText('가입하면 멤버들에게 이렇게 보여요')).toBeTruthy();
  press('그룹에 가입하기');
  expect(await screen.findByText('동의해야 가입할 수 있어요.')).toBeTruthy();
  expect(sent).toEqual([]);
  fireEvent.click(screen.getByRole('checkbox', { name: /동의해요/u }));
  Object.assign(answers, {
    [PAGE]: group,
    [`${PAGE}/attendance`]: month,
    [`${PAGE}/sessions`]: { sessions: [] },
  });
  press('그룹에 가입하기');
  expect(await screen.findByRole('link', { name: '그룹 방 들어가기' })).toBeTruthy();
  expect(sent).toEqual([{ path: `${PAGE}/members`, body: { agrees: true } }]);
});

test('a request waits for a leader, and can be withdrawn', async () => {
  const { asked, answers } = await show({
    [PAGE]: () => refusal('groupMembersOnly'),
    [`${PAGE}/card`]: { group: { ...card, needsApproval: true }, standing: 'waiting' },
    [`${PAGE}/request`]: { groupId: 7 },
  });
  expect(await screen.findByText('그룹장의 답을 기다리고 있어요')).toBeTruthy();
  answers[`${PAGE}/card`] = { group: { ...card, needsApproval: true }, standing: 'none' };
  press('요청 취소');
  expect(await screen.findByRole('button', { name: '가입 요청하기' })).toBeTruthy();
  expect(asked).toContain('DELETE /api/groups/7/request');
});

test('a group that does not exist says so, with a link to others', async () => {
  await show({
    [PAGE]: () => refusal('groupMembersOnly'),
    [`${PAGE}/card`]: () => refusal('groupNotFound'),
  });
  expect(await screen.findByRole('heading', { name: '찾을 수 없는 그룹이에요' })).toBeTruthy();
  expect(screen.getByText(errors.groupNotFound.ko)).toBeTruthy();
  expect(screen.getByRole('link').getAttribute('href')).toBe('/groups');
});

test('an address without a number names no group', async () => {
  const { asked } = await show({}, '/groups/nothing');
  expect(await screen.findByRole('heading', { name: '찾을 수 없는 그룹이에요' })).toBeTruthy();
  expect(asked).toEqual([]);
});
