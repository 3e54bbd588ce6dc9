import type { CaseDetail, CaseSummary, Role } from '@mogakgong/contract';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { refusal, UNAVAILABLE } from '../../../testing/fake-api.ts';
import { LEARNER, logIn, profileOf } from '../../../testing/log-in.ts';
import { showPage } from '../../../testing/show-page.tsx';
import { ModerationPage } from './moderation-page.tsx';

const profile = (role: Role) => profileOf({ role });

const summary = (caseId: number, nickname: string) =>
  ({
    caseId,
    reported: { userId: 100 + caseId, nickname },
    status: 'open',
    openedAtMs: 0,
    lastReportAtMs: 0,
    reasons: ['ABUSE'],
    reportCount: 2,
    weight: 1.5,
    claimedBy: null,
    claimEndsAtMs: null,
    isReporter: false,
    decidedBy: null,
    decidedAtMs: null,
    decision: null,
    decisionReason: null,
  }) as unknown as CaseSummary;

const detail = (of: CaseSummary, change: Partial<CaseDetail> = {}): CaseDetail => ({
  ...of,
  reports: [
    {
      reportId: 5,
      reporter: { userId: 9, nickname: '하준' },
      reason: 'ABUSE',
      description: '계속 욕을 해요',
      roomId: 3,
      createdAtMs: 0,
      weight: 0.75,
      hasStill: false,
      hasBoard: false,
    },
  ] as unknown as CaseDetail['reports'],
  formerCases: [],
  sanctions: [],
  ...change,
});
const mine = {
  status: 'claimed',
  claimedBy: { userId: LEARNER.userId, nickname: LEARNER.nickname },
  claimEndsAtMs: Date.now() + 60_000,
} as Partial<CaseDetail>;

const [minji, seoyeon] = [summary(1, '민지'), summary(2, '서연')];
const evidence = {
  reportedId: minji.reported.userId,
  messages: [{ senderId: 101, nickname: '민지', content: '바보', sentAtMs: 0 }],
  statuses: [
    { userId: 101, nickname: '민지', status: 'focus', sinceMs: 0, leftAtMs: null, subject: '욕설' },
  ],
};
const answers = {
  '/api/moderation/reports/5/evidence': evidence,
  '/api/user/profile': profile('moderator'),
  '/api/moderation/cases': { cases: [minji, seoyeon], next: null },
  '/api/moderation/cases/1': detail(minji),
  '/api/moderation/cases/2': detail(seoyeon),
};

beforeEach(() => {
  logIn();
  window.history.replaceState(null, '', '/moderation');
});

async function show(given: Record<string, unknown> = answers) {
  const api = await showPage(<ModerationPage />, given);
  return api;
}

const press = (code: string, target: Element = document.body) =>
  fireEvent.keyDown(target, { code, key: code.replace('Key', '').toLowerCase() });

test('for a member the page does not exist, and nothing is requested', async () => {
  const { asked } = await show({ ...answers, '/api/user/profile': profile('member') });
  await screen.findByText('404');
  expect(asked.filter((request) => request.includes('moderation'))).toEqual([]);
});

test('a moderator sees the waiting cases, and no audit log; an admin sees both', async () => {
  await show();
  const list = await screen.findByRole('list', { name: '대기 중' });
  expect(within(list).getAllByRole('button')).toHaveLength(2);
  expect(screen.getByRole('status').textContent).toBe('2건');
  expect(screen.queryByRole('button', { name: '감사 기록' })).toBeNull();
});

test('keys move through the list, claim and decide', async () => {
  const api = await show();
  await screen.findByRole('list', { name: '대기 중' });
  press('KeyJ');
  await screen.findByRole('heading', { level: 2, name: /^민지/u });
  press('KeyJ');
  await screen.findByRole('heading', { level: 2, name: /^서연/u });
  press('ArrowUp');
  await screen.findByRole('heading', { level: 2, name: /^민지/u });
  expect(window.location.search).toBe('?view=open&id=1');

  api.answers['/api/moderation/cases/1/claim'] = detail(minji, mine);
  api.answers['/api/moderation/cases/1'] = detail(minji, mine);
  press('KeyC');
  await screen.findByRole('button', { name: /결정하기/u });
  press('KeyD');
  const form = await screen.findByRole('form', { name: '결정' });
  fireEvent.click(within(form).getByRole('radio', { name: '이용 정지' }));
  fireEvent.click(within(form).getByRole('radio', { name: '30일' }));
  fireEvent.click(within(form).getByRole('button', { name: '결정 확정' }));
  await within(form).findByText('이유를 적어 주세요.');
  const reason = within(form).getByLabelText('당사자에게 보여 줄 이유');
  // A typed letter is not a shortcut.
  press('KeyJ', reason);
  expect(window.location.search).toBe('?view=open&id=1');
  fireEvent.change(reason, { target: { value: '욕설은 안 돼요.' } });
  const decided = { status: 'decided', decision: 'suspend', decidedAtMs: 1 } as const;
  api.answers['/api/moderation/cases/1/decision'] = detail(minji, decided);
  api.answers['/api/moderation/cases/1'] = detail(minji, decided);
  fireEvent.click(within(form).getByRole('button', { name: '결정 확정' }));
  await vi.waitFor(() => expect(screen.queryByRole('form', { name: '결정' })).toBeNull());
  expect(api.asked).toContain('POST /api/moderation/cases/1/decision');
  expect(screen.queryByRole('button', { name: /결정하기/u })).toBeNull();
});

test('the texts of a reported group are taken away with a sanction', async () => {
  const [first] = detail(minji).reports;
  const reports = [{ ...first, groupText: 'name' }] as unknown as CaseDetail['reports'];
  const claimed = detail(minji, { ...mine, reports, lastReportAtMs: 7 });
  const api = await show({ ...answers, '/api/moderation/cases/1': claimed });
  await screen.findByRole('list', { name: '대기 중' });
  press('KeyJ');
  await screen.findByText('스터디 그룹 이름');
  press('KeyD');
  const form = await screen.findByRole('form', { name: '결정' });
  const box = () => within(form).queryByRole('checkbox', { name: /신고된 스터디 그룹 글 지우기/u });
  expect(box()).toBeNull();
  fireEvent.click(within(form).getByRole('radio', { name: '경고' }));
  expect(box()).toHaveProperty('checked', true);
  const reason = within(form).getByLabelText('당사자에게 보여 줄 이유');
  fireEvent.change(reason, { target: { value: '욕설은 안 돼요.' } });
  const path = '/api/moderation/cases/1/decision';
  // Another report arrives while the moderator writes.
  api.answers['/api/moderation/cases/1'] = { ...claimed, lastReportAtMs: 8 };
  const body = { decision: 'warn', reason: '욕설은 안 돼요.', withdrawsTexts: true };
  const confirm = async (answer: unknown) => {
    api.answers[path] = answer;
    const before = api.sent.length;
    const button = within(form).getByRole('button', { name: '결정 확정' });
    await vi.waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull());
    fireEvent.click(button);
    await vi.waitFor(() => expect(api.sent).toHaveLength(before + 1));
  };
  await confirm(UNAVAILABLE);
  await confirm(() => refusal('caseChanged'));
  await confirm(claimed);
  await vi.waitFor(() => expect(screen.queryByRole('form', { name: '결정' })).toBeNull());
  // The case was read again after each refusal; only the second one said so.
  expect(api.sent).toEqual(
    [7, 7, 8].map((readUntilMs) => ({ path, body: { ...body, readUntilMs } })),
  );
});

test('a moderator who reported the person, or comes second, cannot claim', async () => {
  const others = { claimedBy: { userId: 8, nickname: '지호' }, claimEndsAtMs: Date.now() + 60_000 };
  await show({
    ...answers,
    '/api/moderation/cases/1': detail(minji, { isReporter: true }),
    '/api/moderation/cases/2': detail(seoyeon, { status: 'claimed', ...others } as never),
  });
  await screen.findByRole('list', { name: '대기 중' });
  press('KeyJ');
  await screen.findByText('내가 신고한 사람은 다른 운영자가 결정해야 해요.');
  await screen.findByText('가중치가 높은 1건만 보여 줘요.');
  expect(screen.queryByRole('button', { name: /맡기/u })).toBeNull();
  press('KeyJ');
  await screen.findByText(/^지호님이 맡고 있어요\./u);
  expect(screen.queryByRole('button', { name: /맡기/u })).toBeNull();
});

test('a moderator who loses the role while the console is open sees nothing any more', async () => {
  const api = await show();
  await screen.findByRole('list', { name: '대기 중' });
  press('KeyJ');
  await screen.findByText('계속 욕을 해요');
  await screen.findByText('신고된 사람의 타일에 보이던 과목: 욕설');
  api.answers['/api/user/profile'] = profile('member');
  for (const path of ['/api/moderation/cases', '/api/moderation/cases/1']) {
    api.answers[path] = () => refusal('moderatorsOnly');
  }
  fireEvent.click(screen.getByRole('button', { name: '맡은 신고' }));
  await screen.findByText('404');
  expect(screen.queryByText('계속 욕을 해요')).toBeNull();
});

test('an empty queue and a failed load are reported', async () => {
  const api = await show({ ...answers, '/api/moderation/cases': UNAVAILABLE });
  await screen.findByText('불러오지 못했어요');
  api.answers['/api/moderation/cases'] = { cases: [], next: null };
  fireEvent.click(screen.getByRole('button', { name: '다시 시도' }));
  await screen.findByText('기다리는 신고가 없어요.');
});

test('an appeal against a moderator’s own decision, or of a person they reported, is left to another one', async () => {
  const appeal = {
    sanctionId: 4,
    kind: 'ban',
    rule: null,
    reason: '욕설',
    caseId: 1,
    imposedAtMs: 0,
    endsAtMs: null,
    liftedAtMs: null,
    appeal: { text: '제가 아니에요', atMs: 0, outcome: null, answer: null },
    person: { userId: 101, nickname: '민지' },
    isOwnDecision: true,
    isReporter: false,
  };
  const reported = { ...appeal, sanctionId: 6, isOwnDecision: false, isReporter: true };
  const other = { ...appeal, sanctionId: 5, isOwnDecision: false };
  const api = await show({
    ...answers,
    '/api/moderation/appeals': { appeals: [appeal, reported, other] },
  });
  fireEvent.click(await screen.findByRole('button', { name: '이의 제기' }));
  await screen.findByRole('list', { name: '이의 제기' });
  press('KeyJ');
  await screen.findByText('내가 내린 결정이라 다른 운영자가 답해야 해요.');
  press('KeyJ');
  await screen.findByText('내가 신고한 사람은 다른 운영자가 결정해야 해요.');
  press('KeyJ');
  fireEvent.click(await screen.findByRole('radio', { name: '해제' }));
  fireEvent.change(screen.getByLabelText('당사자에게 보여 줄 답변'), {
    target: { value: '다시 확인했어요.' },
  });
  api.answers['/api/moderation/appeals/5'] = { appeals: [appeal] };
  api.answers['/api/moderation/appeals'] = { appeals: [appeal] };
  fireEvent.click(screen.getByRole('button', { name: '답변 보내기' }));
  await screen.findByText('이 이의 제기는 답변이 끝났어요.');
});

test('an admin filters the audit log', async () => {
  const event = {
    id: 3,
    atMs: 0,
    actor: { userId: 1, nickname: '김모각' },
    action: 'caseDecided',
    subject: { userId: 101, nickname: null },
    caseId: 1,
    sanctionId: null,
    details: { decision: 'suspend', days: 7 },
  };
  const hostGrant = { by: 'host', role: 'moderator' };
  const granted = { ...event, id: 2, action: 'roleGranted', details: hostGrant };
  const flood = { kind: 'muteChat', rule: 'flood' };
  const muted = { ...event, id: 1, actor: null, action: 'sanctionImposed', details: flood };
  const api = await show({
    ...answers,
    '/api/user/profile': profile('admin'),
    '/api/moderation/audit': { events: [event, granted, muted], next: null },
  });
  fireEvent.click(await screen.findByRole('button', { name: '감사 기록' }));
  const rows = within(await screen.findByRole('table')).getAllByRole('row');
  expect(rows[1]?.textContent).toContain(
    '신고 결정김모각 #1탈퇴한 사람 #101신고 #1 · 이용 정지 · 7일',
  );
  expect(rows[2]?.textContent).toContain('서버에서 · 운영자');
  expect(rows[3]?.textContent).toContain('채팅 금지 · 채팅 도배');
  fireEvent.change(screen.getByLabelText('대상'), { target: { value: '#101' } });
  fireEvent.change(screen.getByLabelText('작업'), { target: { value: 'caseDecided' } });
  await vi.waitFor(() =>
    expect(api.asked).toContain('GET /api/moderation/audit?action=caseDecided&subjectId=101'),
  );
});

test('a still is shown on a press, and says that a browser sent it', async () => {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:still');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  const reports = detail(minji).reports.map((report) => ({ ...report, hasStill: true }));
  const { asked } = await show({
    ...answers,
    '/api/moderation/cases/1': { ...detail(minji), reports },
    '/api/moderation/reports/5/still': () => new Response('webp'),
  });
  await screen.findByRole('list', { name: '대기 중' });
  press('KeyJ');
  const button = await screen.findByRole('button', { name: '첨부된 화면 보기' });
  expect(asked.filter((request) => request.includes('/still'))).toEqual([]);
  await act(async () => button.click());
  const still = await screen.findByRole('figure');
  expect(within(still).getByRole('img').getAttribute('src')).toBe('blob:still');
  expect(still.textContent).toContain('신고한 사람의 브라우저가 보낸 사진이에요.');
});

test('the whiteboard of a report is shown on a press, elements of the reported person first', async () => {
  const withBoard = detail(minji);
  const reports = withBoard.reports.map((report) => ({ ...report, hasBoard: true }));
  const drawn = (id: string, type: string, authorId: number, more: object = {}) => ({
    ...{ id, type, version: 1, versionNonce: 1, isDeleted: false, customData: { authorId } },
    ...more,
  });
  const { asked } = await show({
    ...answers,
    '/api/moderation/cases/1': { ...withBoard, reports },
    '/api/moderation/reports/5/board': {
      reportedId: 101,
      authors: [
        { userId: 9, nickname: '하준' },
        { userId: 101, nickname: '민지' },
      ],
      elements: [
        drawn('a', 'text', 9, { text: 'x = 2' }),
        drawn('e', 'text', 9, { text: '멍청이', customData: { authorId: 9, changedById: 101 } }),
        drawn('b', 'text', 101, { text: '바보', link: 'https://bad.example/' }),
        drawn('c', 'freedraw', 101),
        drawn('d', 'freedraw', 101),
      ],
    },
  });
  await screen.findByRole('list', { name: '대기 중' });
  press('KeyJ');
  const button = await screen.findByRole('button', { name: '첨부된 화이트보드 보기' });
  expect(asked.filter((request) => request.includes('/board'))).toEqual([]);
  await act(async () => button.click());
  const board = await screen.findByRole('region', { name: '신고할 때의 화이트보드' });
  await within(board).findByText('바보');
  const { textContent } = board;
  expect(textContent).toContain('민지 #101 글 2 · 손그림 2');
  expect(textContent).toContain('https://bad.example/');
  expect(textContent).toContain('하준님이 만들고 민지님이 마지막으로 고쳤어요.');
  expect(textContent?.indexOf('바보')).toBeLessThan(textContent?.indexOf('x = 2') ?? 0);
});
