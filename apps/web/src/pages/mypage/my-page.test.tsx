import { type OwnTitle, titleCatalogue, titleFigures, toCatalogueTitle } from '@mogakgong/contract';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { UNAVAILABLE } from '../../../testing/fake-api.ts';
import { logIn, profileOf } from '../../../testing/log-in.ts';
import { showPage } from '../../../testing/show-page.tsx';
import { useSession } from '../../features/auth/session.ts';
import { notify } from '../../shared/ui/notify.ts';
import { MyPage } from './my-page.tsx';

/** A status without a text of its own, for which every call has its own (specification §8). */
const TEAPOT = () => new Response('', { status: 418 });

const NOW_MS = Date.UTC(2026, 10, 21, 3);
const WON: readonly string[] = ['first-day', 'hours-1'];

const acquiredAtOf = (key: string) =>
  key === 'first-day' ? '2026-11-10T12:00:00.000Z' : '2026-11-20T11:30:00.000Z';

const titles = titleCatalogue.map((title): OwnTitle => {
  const isWon = WON.includes(title.key);
  return {
    ...toCatalogueTitle(title, 'ko'),
    acquiredAt: isWon ? acquiredAtOf(title.key) : null,
    isRepresent: false,
    progress: {
      unit: titleFigures[title.figure],
      current: isWon ? title.threshold : Math.floor(title.threshold / 2),
      target: title.threshold,
    },
  };
});
const first = { ...toCatalogueTitle(titleCatalogue[0] as never, 'ko'), acquiredAt: null };

const profile = profileOf();
const full = {
  '/api/user/profile': profile,
  '/api/user/stat/today-study-time': {
    todayStudyTime: 60,
    day: '2026-11-21',
    timeZone: 'Asia/Seoul',
    focusMs: 60_000,
    runningSinceMs: null,
    dayStartsAtMs: NOW_MS - 1,
    dayEndsAtMs: NOW_MS + 86_400_000,
    serverNowMs: NOW_MS,
  },
  '/api/user/stat/normal': {
    userId: 1,
    nickname: '김모각',
    totalStudyTime: 2 * 3_600 + 120,
    totalAwayTime: 0,
    totalAttendanceDays: 12,
    continueAttendanceDays: 3,
    lastAttendanceDate: '2026-11-21',
    longestAttendanceDays: 3,
  },
  '/api/user/email-change': { pendingEmail: null, isMailed: false },
  '/api/titles/1/list': titles,
  '/api/titles/1/equip': first,
  '/api/user/settings/focus': {
    timeZone: 'Pacific/Auckland',
    dayStartMinutes: 0,
    startsOnEntering: true,
  },
};

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  logIn();
});

async function show(answers: Record<string, unknown>) {
  const api = await showPage(<MyPage />, answers);
  await screen.findByRole('heading', { level: 1 });
  await vi.waitFor(() => expect(screen.queryByText('불러오는 중')).toBeNull());
  return api;
}

const figure = (name: string) =>
  screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;
const card = (name: string) => {
  const item = screen.getAllByRole('listitem').find((other) => other.textContent?.startsWith(name));
  if (!item) throw new Error(`there is no card of ${name}`);
  return item;
};
const lastToast = () => notify.state().toasts.at(-1)?.text;

test('today, cumulative focus in hours and minutes, and attendance in days (specification §2, §9)', async () => {
  await show(full);
  expect(figure('오늘의 집중 시간')).toBe('1분');
  expect(figure('누적 집중 시간')).toBe('2시간 2분');
  expect(figure('누적 출석일')).toBe('12일');
  expect(figure('연속 출석일')).toBe('3일');
});

test('a profile that cannot be loaded is reported, until it is loaded (specification §8)', async () => {
  const api = await show({ ...full, '/api/user/profile': () => new Response('', { status: 503 }) });
  const alert = await screen.findByText('프로필 조회에 실패했습니다.');
  expect(screen.getAllByText('김모각').length).toBeGreaterThan(0);
  api.answers['/api/user/profile'] = full['/api/user/profile'];
  fireEvent.click(within(alert.parentElement as HTMLElement).getByRole('button'));
  await vi.waitFor(() => expect(screen.queryByText('프로필 조회에 실패했습니다.')).toBeNull());
});

test('the default picture is restored, and a failure is reported', async () => {
  const user = useSession.getState().user;
  useSession.setState({ user: user && { ...user, profileImageUrl: '/files/images/a.webp' } });
  const api = await show({ ...full, '/api/user/profile/profileImage': UNAVAILABLE });
  const takeBack = screen.getByRole('button', { name: '기본 사진으로' });
  fireEvent.click(takeBack);
  await vi.waitFor(() => expect(lastToast()).toMatch(/지금은 서비스를 이용할 수 없어요/u));
  api.answers['/api/user/profile/profileImage'] = TEAPOT;
  fireEvent.click(takeBack);
  await vi.waitFor(() => expect(lastToast()).toBe('사진 변경에 실패했습니다.'));
  api.answers['/api/user/profile/profileImage'] = { profileImage: 'default.jpg' };
  fireEvent.click(takeBack);
  await vi.waitFor(() => expect(lastToast()).toBe('기본 사진으로 바꿨어요.'));
  expect(api.asked.filter((request) => request.startsWith('PATCH'))).toHaveLength(3);
});

test('won titles and the next three are shown, the others on demand', async () => {
  await show(full);
  const next = await screen.findByRole('region', { name: '다음 칭호' });
  expect(screen.getAllByRole('listitem')).toHaveLength(2 + 3);
  expect(within(next).getAllByRole('listitem')).toHaveLength(3);
  const others = screen.getByText(`나머지 칭호 ${titleCatalogue.length - 5}개 보기`);
  const details = others.closest('details') as HTMLDetailsElement;
  await act(async () => {
    details.open = true;
    fireEvent(details, new Event('toggle'));
  });
  await vi.waitFor(() =>
    expect(screen.getAllByRole('listitem')).toHaveLength(titleCatalogue.length),
  );
});

test('every title shows when it was won or how far it is', async () => {
  await show(full);
  // Half past midnight in the time zone of the learner's days.
  expect(card('첫 한 시간').textContent).toContain('2026. 11. 21. 획득');
  expect(within(card('첫 한 시간')).getByText('새로 획득')).toBeTruthy();
  expect(within(card('나만의 책상')).queryByText('새로 획득')).toBeNull();
  const bar = within(card('열 시간의 공책')).getByRole('progressbar');
  expect(bar.getAttribute('aria-valuetext')).toBe('5시간 / 10시간');
  expect(within(card('첫 한 시간')).queryByRole('progressbar')).toBeNull();
});

test('the empty option prompts for a title, in the words of the specification', async () => {
  const api = await show(full);
  expect(screen.getByText('대표 칭호를 설정해주세요!')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '대표로 설정' }));
  expect(screen.getByRole('alert').textContent).toBe('칭호를 선택해 주세요.');
  expect(api.asked.some((request) => request.startsWith('POST'))).toBe(false);
});

test('a learner without titles is not asked to choose one', async () => {
  const none = titles.map((title) => ({ ...title, acquiredAt: null }));
  await show({ ...full, '/api/titles/1/list': none });
  expect(await screen.findByText('아직 없어요')).toBeTruthy();
  expect(screen.queryByText('대표 칭호를 설정해주세요!')).toBeNull();
  const choice = screen.getByLabelText('대표 칭호 선택');
  expect(within(choice).getAllByRole('option')).toHaveLength(1);
  expect(screen.getByText(/^아직 얻은 칭호가 없어요/u)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '대표로 설정' }));
  expect(screen.getByRole('alert').textContent).toBe('칭호를 선택해 주세요.');
});

test('answers of exactly the specification’s shapes make the whole page (specification §3)', async () => {
  const { email, nickname, profileImage } = profile;
  const { longestAttendanceDays, ...statistics } = full['/api/user/stat/normal'];
  const { titleId, key, name, description, icon } = first;
  const api = await show({
    ...full,
    '/api/user/profile': { email, nickname, profileImage },
    '/api/user/stat/today-study-time': { todayStudyTime: 60 },
    '/api/user/stat/normal': statistics,
    '/api/titles/1/list': [{ titleId, key, name, description, icon, representative: false }],
    '/api/titles/1/equip': { titleId, name, description },
    [PROFILE]: () => new Response(null, { status: 200 }),
  });
  expect(figure('오늘의 집중 시간')).toBe('1분');
  expect(figure('누적 집중 시간')).toBe('2시간 2분');
  expect(row('이메일').getByText(email)).toBeTruthy();

  fireEvent.change(screen.getByLabelText('대표 칭호 선택'), { target: { value: '1' } });
  fireEvent.click(screen.getByRole('button', { name: '대표로 설정' }));
  await vi.waitFor(() => expect(lastToast()).toBe('대표 칭호를 바꿨어요: 나만의 책상'));
  expect(api.asked).toContain('POST /api/titles/1/equip?titleId=1');

  fireEvent.change(await edit('닉네임', nickname), { target: { value: ' 새이름 ' } });
  save('닉네임');
  await vi.waitFor(() => expect(lastToast()).toBe('닉네임을 바꿨어요.'));
});

test('focus of less than a minute is no minute in the cumulative time (specification §9), nor beside it', async () => {
  await show({
    ...full,
    '/api/user/stat/today-study-time': {
      ...full['/api/user/stat/today-study-time'],
      ...{ todayStudyTime: 59, focusMs: 59_000 },
    },
    '/api/user/stat/normal': { ...full['/api/user/stat/normal'], totalStudyTime: 59 },
  });
  expect([figure('오늘의 집중 시간'), figure('누적 집중 시간')]).toEqual(['0분', '0분']);
});

test('a won title is set as representative, and cleared again', async () => {
  const api = await show(full);
  const choice = screen.getByLabelText('대표 칭호 선택');
  const offered = within(choice).getAllByRole('option');
  expect(offered.map((option) => option.textContent)).toEqual([
    '칭호 선택',
    '나만의 책상',
    '첫 한 시간',
  ]);
  fireEvent.change(choice, { target: { value: '1' } });
  fireEvent.click(screen.getByRole('button', { name: '대표로 설정' }));
  await vi.waitFor(() => expect(lastToast()).toBe('대표 칭호를 바꿨어요: 나만의 책상'));
  expect(api.asked).toContain('POST /api/titles/1/equip?titleId=1');
  expect(within(card('나만의 책상')).getByText('대표 칭호')).toBeTruthy();

  api.answers['/api/titles/1/equip'] = { ...first, titleId: 0, key: 'no-title', icon: '' };
  const takeOff = screen.getByRole('button', { name: '대표 칭호 해제' });
  takeOff.focus();
  fireEvent.click(takeOff);
  await vi.waitFor(() => expect(lastToast()).toBe('대표 칭호를 해제했어요.'));
  await vi.waitFor(() => expect(document.activeElement).toBe(choice));
  expect(api.asked).toContain('POST /api/titles/1/equip?titleId=no-title');
  expect(screen.getByText('대표 칭호를 설정해주세요!')).toBeTruthy();
});

test('the representative title follows a change in another tab', async () => {
  const api = await show(full);
  const asWorn = titles.map((title) => ({ ...title, isRepresent: title.key === 'hours-1' }));
  api.answers['/api/titles/1/list'] = asWorn;
  const otherTab = new BroadcastChannel('mogakgong.profile');
  otherTab.postMessage({ userId: 1 });
  expect(await screen.findByRole('button', { name: '대표 칭호 해제' })).toBeTruthy();
  expect(within(card('첫 한 시간')).getByText('대표 칭호')).toBeTruthy();
  otherTab.close();
});

test('a title that cannot be set is reported, and nothing changes', async () => {
  const { answers } = await show({ ...full, '/api/titles/1/equip': UNAVAILABLE });
  fireEvent.change(screen.getByLabelText('대표 칭호 선택'), { target: { value: '1' } });
  fireEvent.click(screen.getByRole('button', { name: '대표로 설정' }));
  await vi.waitFor(() => expect(lastToast()).toMatch(/지금은 서비스를 이용할 수 없어요/u));
  answers['/api/titles/1/equip'] = TEAPOT;
  fireEvent.click(screen.getByRole('button', { name: '대표로 설정' }));
  await vi.waitFor(() => expect(lastToast()).toBe('칭호 변경에 실패했습니다.'));
  expect(screen.getByText('대표 칭호를 설정해주세요!')).toBeTruthy();
});

test('a title list that fails shows two samples, marked as such, until it loads', async () => {
  const api = await show({ ...full, '/api/titles/1/list': TEAPOT });
  expect(await screen.findAllByText('예시')).toHaveLength(2);
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  expect(screen.getByRole('alert').textContent).toContain('칭호를 불러오지 못했어요');
  expect(screen.getByRole('alert').textContent).toContain('칭호 조회에 실패했습니다.');
  expect(screen.queryByLabelText('대표 칭호 선택')).toBeNull();
  api.answers['/api/titles/1/list'] = titles;
  fireEvent.click(screen.getByRole('button', { name: '다시 시도' }));
  await vi.waitFor(() => expect(screen.queryAllByRole('listitem')).toHaveLength(2 + 3));
  expect(screen.queryByText('예시')).toBeNull();
});

test('statistics that fail are marked zeros until they load', async () => {
  const api = await show({ ...full, '/api/user/stat/normal': TEAPOT });
  expect(figure('누적 집중 시간')).toBe('0분');
  expect(figure('오늘의 집중 시간')).toBe('1분');
  expect(screen.getByRole('alert').textContent).toContain('불러오지 못해 0으로 표시했어요');
  expect(screen.getByRole('alert').textContent).toContain('통계 조회에 실패했습니다.');
  api.answers['/api/user/stat/normal'] = full['/api/user/stat/normal'];
  fireEvent.click(screen.getByRole('button', { name: '다시 시도' }));
  await vi.waitFor(() => expect(figure('누적 집중 시간')).toBe('2시간 2분'));
  expect(screen.queryByRole('alert')).toBeNull();
});

const row = (name: string) => within(screen.getByRole('group', { name }));
const PROFILE = '/api/user/profile/nickname';

/** Opens the edit mode of a row; returns its field, which holds `stored` and has the focus. */
async function edit(name: string, stored: string) {
  fireEvent.click(row(name).getByRole('button', { name: `${name} 바꾸기` }));
  const field = await row(name).findByLabelText<HTMLInputElement>(`새 ${name}`);
  await vi.waitFor(() => expect(document.activeElement).toBe(field));
  expect([document.activeElement, field.value]).toEqual([field, stored]);
  return field;
}
const save = (name: string) => fireEvent.click(row(name).getByRole('button', { name: '저장' }));

test('the nickname is changed in edit mode, once for a double press, and other tabs are notified', async () => {
  const { answers, asked } = await show(full);
  const otherTab = new BroadcastChannel('mogakgong.profile');
  const notified = new Promise((resolve) => {
    otherTab.onmessage = ({ data }) => resolve(data);
  });
  fireEvent.change(await edit('닉네임', '김모각'), { target: { value: ' 새이름 ' } });
  answers[PROFILE] = { nickname: '새이름' };
  save('닉네임');
  save('닉네임');
  await vi.waitFor(() => expect(lastToast()).toBe('닉네임을 바꿨어요.'));
  expect(row('닉네임').queryByRole('textbox')).toBeNull();
  await vi.waitFor(() =>
    expect(document.activeElement).toBe(
      row('닉네임').getByRole('button', { name: '닉네임 바꾸기' }),
    ),
  );
  expect(asked.filter((request) => request === `PATCH ${PROFILE}`)).toHaveLength(1);
  expect(await notified).toEqual({ userId: 1 });
  otherTab.close();
});

test('a refused nickname is reported at the field, and stays there', async () => {
  const { answers, asked } = await show(full);
  const field = await edit('닉네임', '김모각');
  fireEvent.change(field, { target: { value: '' } });
  save('닉네임');
  expect(row('닉네임').getByRole('alert').textContent).toBe(
    '이름은 줄바꿈 없이 1~20자로 입력해 주세요.',
  );
  expect(asked.some((request) => request.startsWith('PATCH'))).toBe(false);
  fireEvent.change(field, { target: { value: '남의이름' } });
  save('닉네임');
  await vi.waitFor(() =>
    expect(row('닉네임').getByRole('alert').textContent).toMatch(/이용할 수 없어요/u),
  );
  expect([field.value, document.activeElement]).toEqual(['남의이름', field]);
  answers[PROFILE] = TEAPOT;
  save('닉네임');
  await vi.waitFor(() =>
    expect(row('닉네임').getByRole('alert').textContent).toBe('닉네임 변경에 실패했습니다.'),
  );
});

test('cancel shows the stored nickname, and edit mode begins with it again', async () => {
  await show(full);
  fireEvent.change(await edit('닉네임', '김모각'), { target: { value: '다른이름' } });
  fireEvent.click(row('닉네임').getByRole('button', { name: '취소' }));
  expect(row('닉네임').getByText('김모각')).toBeTruthy();
  await edit('닉네임', '김모각');
});

test.each([
  ['닉네임', '김모각'],
  ['이메일', 'kim@example.com'],
])('%s saved as it is changes nothing, and says nothing of a change', async (name, stored) => {
  const { asked } = await show(full);
  const { toasts } = notify.state();
  await edit(name, stored);
  save(name);
  expect(row(name).queryByRole('textbox')).toBeNull();
  expect(notify.state().toasts).toEqual(toasts);
  expect(asked.some((request) => request.startsWith('PATCH'))).toBe(false);
});

test('the e-mail form does not mention mails until it is known whether any are sent', async () => {
  await show({ ...full, [EMAIL_CHANGE]: UNAVAILABLE });
  await edit('이메일', 'kim@example.com');
  expect(row('이메일').queryByText(/메일을 보낼 수 없어서|확인 메일을 보내/u)).toBeNull();
});

const EMAIL = '/api/user/profile/email';
const EMAIL_CHANGE = '/api/user/email-change';
const taken = () => Response.json({ message: '다른 사람의 주소예요.' }, { status: 409 });

test('the e-mail changes at once where no mail is sent, and a refusal is reported at the field', async () => {
  const { answers } = await show(full);
  const field = await edit('이메일', 'kim@example.com');
  expect(row('이메일').getByText(/저장하면 바로 바뀌어요/u)).toBeTruthy();
  fireEvent.change(field, { target: { value: 'no address' } });
  save('이메일');
  const refusal = () => row('이메일').getByRole('alert').textContent;
  expect(refusal()).toBe('올바른 이메일 형식을 입력해주세요.');
  answers[EMAIL] = taken;
  fireEvent.change(field, { target: { value: 'lee@example.com' } });
  save('이메일');
  await vi.waitFor(() => expect(refusal()).toBe('다른 사람의 주소예요.'));
  answers[EMAIL] = TEAPOT;
  save('이메일');
  await vi.waitFor(() => expect(refusal()).toBe('이메일 변경에 실패했습니다.'));
  answers[EMAIL] = { email: 'lee@example.com', pendingEmail: null };
  save('이메일');
  await vi.waitFor(() => expect(lastToast()).toMatch(/^이메일을 바꿨어요/u));
  expect(row('이메일').queryByRole('textbox')).toBeNull();
});

test('cancel shows the stored e-mail, and edit mode begins with it again', async () => {
  await show(full);
  fireEvent.change(await edit('이메일', 'kim@example.com'), {
    target: { value: 'lee@example.com' },
  });
  fireEvent.click(row('이메일').getByRole('button', { name: '취소' }));
  expect(row('이메일').getByText('kim@example.com')).toBeTruthy();
  await edit('이메일', 'kim@example.com');
});

test('a mailed e-mail waits for its link: the mail can be sent again, and the change cancelled', async () => {
  const { answers, asked } = await show({
    ...full,
    [EMAIL_CHANGE]: { pendingEmail: null, isMailed: true },
    [EMAIL]: { email: 'kim@example.com', pendingEmail: 'lee@example.com' },
  });
  const field = await edit('이메일', 'kim@example.com');
  await row('이메일').findByText(/새 주소로 확인 메일을 보내/u);
  fireEvent.change(field, { target: { value: 'lee@example.com' } });
  save('이메일');
  expect(await row('이메일').findByText(/^lee@example.com 주소로/u)).toBeTruthy();
  expect(row('이메일').getByText('kim@example.com')).toBeTruthy();
  answers[EMAIL_CHANGE] = { pendingEmail: 'lee@example.com', isMailed: true };
  const resend = row('이메일').getByRole('button', { name: '메일 다시 보내기' });
  const answer = Promise.withResolvers<Response>();
  answers[EMAIL] = () => answer.promise;
  fireEvent.click(resend);
  await vi.waitFor(() => expect(resend.getAttribute('aria-busy')).toBe('true'));
  fireEvent.click(resend);
  answer.resolve(Response.json({ email: 'kim@example.com', pendingEmail: 'lee@example.com' }));
  await vi.waitFor(() => expect(resend.getAttribute('aria-busy')).toBeNull());
  expect(asked.filter((request) => request === `PATCH ${EMAIL}`)).toHaveLength(2);

  const cancel = row('이메일').getByRole('button', { name: '변경 취소' });
  answers[EMAIL_CHANGE] = UNAVAILABLE;
  fireEvent.click(cancel);
  await vi.waitFor(() => expect(lastToast()).toMatch(/이용할 수 없어요/u));
  answers[EMAIL_CHANGE] = { pendingEmail: null, isMailed: true };
  fireEvent.click(cancel);
  await vi.waitFor(() => expect(lastToast()).toBe('이메일 변경을 취소했어요.'));
  expect(row('이메일').queryByText(/^lee@example.com 주소로/u)).toBeNull();
});

const passwordPanel = () => row('비밀번호');
const typePassword = (label: string, value: string) =>
  fireEvent.change(passwordPanel().getByLabelText(label), { target: { value } });

test('the password is changed in edit mode; an error is shown at its field', async () => {
  const { answers, asked } = await show(full);
  expect(passwordPanel().queryByLabelText('현재 비밀번호')).toBeNull();
  fireEvent.click(passwordPanel().getByRole('button', { name: '비밀번호 바꾸기' }));
  const current = await passwordPanel().findByLabelText('현재 비밀번호');
  await vi.waitFor(() => expect(document.activeElement).toBe(current));
  const save = passwordPanel().getByRole('button', { name: '저장' });

  typePassword('현재 비밀번호', 'Blue-lamp-42');
  typePassword('새 비밀번호', 'Green-desk-7');
  typePassword('새 비밀번호 확인', 'Green-desk-8');
  fireEvent.click(save);
  const differing = passwordPanel().getByText('새 비밀번호와 비밀번호 확인이 일치하지 않아요.');
  expect(differing.getAttribute('role')).toBe('alert');
  expect(document.activeElement).toBe(passwordPanel().getByLabelText('새 비밀번호 확인'));
  typePassword('새 비밀번호', 'short');
  typePassword('새 비밀번호 확인', 'short');
  fireEvent.click(save);
  expect(document.activeElement).toBe(passwordPanel().getByLabelText('새 비밀번호'));
  expect(asked.some((request) => request.startsWith('PATCH'))).toBe(false);

  typePassword('새 비밀번호', 'Green-desk-7');
  typePassword('새 비밀번호 확인', 'Green-desk-7');
  fireEvent.click(save);
  expect(await passwordPanel().findByText(/이용할 수 없어요/u)).toBeTruthy();
  answers['/api/user/profile/password'] = TEAPOT;
  fireEvent.click(save);
  expect(await passwordPanel().findByText('비밀번호 변경에 실패했습니다.')).toBeTruthy();
  answers['/api/user/profile/password'] = { changed: true };
  fireEvent.click(save);
  fireEvent.click(save);
  await vi.waitFor(() => expect(lastToast()).toMatch(/^비밀번호를 바꿨어요/u));
  expect(passwordPanel().queryByLabelText('현재 비밀번호')).toBeNull();
  expect(asked.filter((request) => request.startsWith('PATCH'))).toHaveLength(3);
});

test('cancel leaves the edit mode and discards the typed values', async () => {
  await show(full);
  const edit = () =>
    fireEvent.click(passwordPanel().getByRole('button', { name: '비밀번호 바꾸기' }));
  edit();
  await passwordPanel().findByLabelText('현재 비밀번호');
  typePassword('현재 비밀번호', 'Blue-lamp-42');
  fireEvent.click(passwordPanel().getByRole('button', { name: '취소' }));
  edit();
  expect(passwordPanel().getByLabelText<HTMLInputElement>('현재 비밀번호').value).toBe('');
});

test('an account without a password has none to change', async () => {
  await show({ ...full, '/api/user/profile': { ...profile, hasPassword: false } });
  expect(screen.queryByRole('group', { name: '비밀번호' })).toBeNull();
});
