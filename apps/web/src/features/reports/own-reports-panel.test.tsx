import { type OwnReport, ReportId, UserId } from '@mogakgong/contract';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { startFakeApi, UNAVAILABLE } from '../../../testing/fake-api.ts';
import { logIn } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import { queryClient } from '../../shared/api/query.ts';
import { Notices } from '../../shared/ui/notices.tsx';
import { announceAnswer } from './own-reports.ts';
import { OwnReportsPanel } from './own-reports-panel.tsx';

const MINE = '/api/reports/mine';
const userId = UserId.parse(1);
const report: OwnReport = {
  reportId: ReportId.parse(7),
  nickname: '서준',
  reason: 'ABUSE',
  description: '계속 욕해요',
  reportedAtMs: Date.parse('2026-11-22T10:00:00Z'),
  state: 'received',
  decidedAtMs: null,
};

beforeEach(() => {
  logIn();
  queryClient.clear();
});

async function show(answer: unknown) {
  const api = startFakeApi({ [MINE]: answer });
  await act(async () => {
    render(
      <>
        <OwnReportsPanel userId={userId} />
        <Notices />
      </>,
    );
  });
  return api;
}

test.each([
  ['received', '접수됨'],
  ['inReview', '확인 중'],
  ['actionTaken', '조치함'],
  ['noViolation', '위반 없음'],
] as const)('a report that is %s says so', async (state, text) => {
  const decidedAtMs = state === 'received' || state === 'inReview' ? null : report.reportedAtMs;
  await show({ reports: [{ ...report, state, decidedAtMs }] });
  const item = await screen.findByRole('listitem');
  expect(item.textContent).toContain('서준 · 욕설·비방');
  expect(item.textContent).toContain('계속 욕해요');
  expect(item.textContent).toContain(text);
});

test('a learner who never reported sees nothing of it', async () => {
  const { asked } = await show({ reports: [] });
  await waitFor(() => expect(asked).toContain(`GET ${MINE}`));
  expect(screen.queryByRole('region', { name: '내 신고' })).toBeNull();
});

test('a failed load is shown, and can be tried again', async () => {
  const api = await show(UNAVAILABLE);
  const again = await screen.findByRole('button', { name: '다시 시도' }, { timeout: 4_000 });
  api.answers[MINE] = { reports: [report] };
  await act(async () => again.click());
  expect(await screen.findByText('접수됨')).toBeTruthy();
});

test('a decision is announced at once, with a link to the answer', async () => {
  const api = await show({ reports: [report] });
  await screen.findByText('접수됨');
  api.answers[MINE] = { reports: [{ ...report, state: 'actionTaken', decidedAtMs: 0 }] };
  await act(() => announceAnswer(userId));
  expect(await screen.findByText('조치함')).toBeTruthy();
  expect(screen.getByText('신고 결과가 나왔어요.')).toBeTruthy();
  await act(async () => screen.getByRole('button', { name: '보기' }).click());
  expect(window.location.pathname).toBe('/support');
});
