import { type OwnSubjects, RoomId, SubjectId, UserId } from '@mogakgong/contract';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { render } from '../../../testing/render.tsx';
import { queryClient } from '../../shared/api/query.ts';
import { changeOwnClock, useOwnClock } from '../../shared/today/today.ts';
import { notify } from '../../shared/ui/notify.ts';
import { SubjectBeforeEntering, SubjectSection } from './subject-section.tsx';

const me = UserId.parse(1);
const math = { id: SubjectId.parse(4), name: '수학' };
const english = { id: SubjectId.parse(5), name: 'English' };

let own: OwnSubjects;
let refusal: Response | null;
let calls: string[];

/** Answers as the server does. */
function answer(method: string, address: string, body: string | null | undefined): Response {
  const sent = body ? JSON.parse(body) : {};
  const { subjects } = own;
  const path = address.replace('/api/subjects', '');
  if (method !== 'GET') calls.push(`${method} ${path} ${JSON.stringify(sent)}`);
  if (method !== 'GET' && refusal) return refusal;
  const id = Number(path.slice(1));
  if (path === '/current') own = { ...own, currentId: sent.subjectId };
  else if (method === 'POST') {
    own = { ...own, subjects: [...subjects, { id: SubjectId.parse(9), name: sent.name }] };
  } else if (method === 'PATCH') {
    own = { ...own, subjects: subjects.map((one) => (one.id === id ? { ...one, ...sent } : one)) };
  } else if (method === 'DELETE') {
    own = { ...own, subjects: subjects.filter((one) => one.id !== id) };
  }
  return Response.json(path === '/current' ? { ...own, clock: null, serverNowMs: 0 } : own);
}

beforeEach(() => {
  queryClient.clear();
  for (const { id } of notify.state().toasts) notify.dismissToast(id);
  own = { subjects: [math, english], currentId: math.id };
  refusal = null;
  calls = [];
  vi.stubGlobal('fetch', async (address: string, init: { method: string; body?: string }) =>
    answer(init.method, address, init.body),
  );
});

async function show(element = <SubjectSection userId={me} />) {
  await act(async () => {
    render(element);
  });
  await screen.findByRole('button', { name: '새 과목' });
}

const press = (name: string) => act(async () => screen.getByRole('button', { name }).click());
const pressed = () =>
  screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent);

async function addNew(name: string): Promise<void> {
  await press('새 과목');
  fireEvent.change(screen.getByLabelText('새 과목 이름'), { target: { value: name } });
  await press('추가');
}

test('in a seat one press chooses a subject, shown at once, which the timer keeps and sends', async () => {
  changeOwnClock(me, { kind: 'seated', roomId: RoomId.parse(3), presses: [] });
  await show();
  expect(pressed()).toEqual(['수학']);
  await press('English');
  expect(pressed()).toEqual(['English']);
  await press('과목 없음');
  expect(pressed()).toEqual(['과목 없음']);
  const { presses } = useOwnClock.getState();
  expect(presses).toMatchObject([{ subjectId: english.id }, { subjectId: null }]);
  expect(calls).toEqual([]);
  act(() => changeOwnClock(me, { kind: 'closed' }));
});

test('before entering, a choice is stored at once, and reverted if that fails', async () => {
  await show(<SubjectBeforeEntering userId={me} />);
  await press('English');
  await vi.waitFor(() => expect(pressed()).toEqual(['English']));
  expect(calls).toEqual([`PUT /current {"subjectId":${english.id}}`]);
  refusal = Response.json({ message: '지금은 안 돼요' }, { status: 503 });
  await press('과목 없음');
  await vi.waitFor(() => expect(pressed()).toEqual(['English']));
  expect(notify.state().toasts.at(-1)?.text).toBe('지금은 안 돼요');
});

test('a new subject is added and chosen; an existing name is only chosen', async () => {
  await show(<SubjectBeforeEntering userId={me} />);
  await addNew('  국어 ');
  await vi.waitFor(() => expect(pressed()).toEqual(['국어']));
  await addNew('ENGLISH');
  await vi.waitFor(() => expect(pressed()).toEqual(['English']));
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual(['POST  {"name":"국어"}']);
});

test('a name that is too long is not sent, and Escape closes the field alone', async () => {
  await show();
  await press('새 과목');
  const field = screen.getByLabelText('새 과목 이름');
  fireEvent.change(field, { target: { value: '가'.repeat(21) } });
  expect(screen.getByText('과목 이름은 20자까지 쓸 수 있어요.')).toBeTruthy();
  expect(screen.getByRole('button', { name: '추가' })).toHaveProperty('disabled', true);
  const onKeyDown = vi.fn();
  document.addEventListener('keydown', onKeyDown);
  fireEvent.keyDown(field, { key: 'Escape' });
  document.removeEventListener('keydown', onKeyDown);
  expect(screen.queryByLabelText('새 과목 이름')).toBeNull();
});

test('subjects are renamed, ordered and removed, and a removed one can be brought back', async () => {
  await show();
  await press('과목 관리');
  await press('English 이름 바꾸기');
  fireEvent.change(screen.getByLabelText('과목 이름'), { target: { value: '영어' } });
  await press('저장');
  await press('영어 위로');
  const list = screen.getByRole('list', { name: '내 과목' });
  await vi.waitFor(() => expect(within(list).getByText('영어')).toBeTruthy());

  await press('영어 지우기');
  const { title, text, answer: settle } = notify.state().dialogs[0] ?? {};
  expect([title, text]).toEqual([
    '‘영어’ 과목을 지울까요?',
    expect.stringContaining('통계에 ‘영어’ 이름으로 남아요'),
  ]);
  await act(async () => settle?.(true));
  await vi.waitFor(() => expect(within(list).queryByText('영어')).toBeNull());
  await act(async () => notify.state().toasts.at(-1)?.action?.onPress());
  await vi.waitFor(() => expect(within(list).getByText('영어')).toBeTruthy());
  expect(calls).toEqual([
    `PATCH /${english.id} {"name":"영어"}`,
    `PATCH /${english.id} {"position":0}`,
    `DELETE /${english.id} {}`,
    'POST  {"name":"영어"}',
  ]);
});
