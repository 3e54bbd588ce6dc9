import {
  errors,
  REPORT_DESCRIPTION_MAX_LENGTH,
  RoomId,
  stillClock,
  UserId,
} from '@mogakgong/contract';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { refusal, startFakeApi } from '../../testing/fake-api.ts';
import { logIn } from '../../testing/log-in.ts';
import { render } from '../../testing/render.tsx';
import { setBlockedIds } from '../features/blocks/blocks.ts';
import { closeReport, openReport, useReportTarget } from '../features/reports/report-target.ts';
import { Notices } from '../shared/ui/notices.tsx';
import { useNotices } from '../shared/ui/notify.ts';
import { Reporting } from './reporting.tsx';
import { LearnerName } from './tiles/learner-name.tsx';
import type { Tile } from './tiles/tiles.ts';

const REPORTS = '/api/reports';
const store = createStore(() => ({ tiles: [] as Partial<Tile>[] }));
const live = { userId: UserId.parse(1), roomId: RoomId.parse(3), store: store as never };
const person = { userId: UserId.parse(2), name: '서준' };

function Place() {
  const target = useReportTarget((report) => report.target);
  return (
    <>
      <LearnerName selfId={live.userId} {...person} />
      {target && <Reporting live={live} target={target} />}
      <Notices />
    </>
  );
}

beforeEach(() => {
  logIn();
  closeReport();
  store.setState({ tiles: [] });
  useNotices.setState({ dialogs: [], toasts: [] });
  setBlockedIds(live.userId, []);
});

async function open(answers: Record<string, unknown> = {}, target = person) {
  const api = startFakeApi({ [REPORTS]: { reportId: 7 }, ...answers });
  await act(async () => void render(<Place />));
  await act(async () => openReport(target));
  await screen.findByRole('dialog');
  return api;
}

const press = (name: string) => act(async () => screen.getByRole('button', { name }).click());
const choose = (name: RegExp) => act(async () => screen.getByRole('radio', { name }).click());
const sentTo = ({ sent }: Awaited<ReturnType<typeof open>>, path = REPORTS) =>
  sent.filter((request) => request.path === path).map(({ body }) => body);
const isOpen = () => screen.queryByRole('dialog', { name: '서준님 신고' }) !== null;

describe('the report dialog', () => {
  test('opens from a name, without a reason (specification §2)', async () => {
    startFakeApi({});
    await act(async () => void render(<Place />));
    await press('서준 메뉴');
    await act(async () => screen.getByRole('menuitem', { name: '신고하기' }).click());
    expect(await screen.findByRole('dialog', { name: '서준님 신고' })).toBeTruthy();
    for (const radio of screen.getAllByRole('radio'))
      expect(radio).toHaveProperty('checked', false);
  });

  test('needs a reason', async () => {
    const api = await open();
    await press('신고하기');
    expect(screen.getByText('신고 사유를 선택해 주세요.').role).toBe('alert');
    expect(document.activeElement).toBe(screen.getAllByRole('radio')[0]);
    expect(sentTo(api)).toEqual([]);
    await choose(/욕설/u);
    expect(screen.queryByText('신고 사유를 선택해 주세요.')).toBeNull();
  });

  test.each([
    ['abuse', /욕설/u, { reason: 'ABUSE' }],
    ['obscene', /음란/u, { reason: 'OBSCENE_CONTENT' }],
    ['disturbance', /방해$|^방해/u, { reason: 'DISTURBANCE' }],
    ['other', /기타/u, { reason: 'DISTURBANCE', description: '기타 사유' }],
  ])('the reason shown %s is sent as the specification says (§9)', async (_shown, label, sent) => {
    const api = await open();
    await choose(label);
    await press('신고하기');
    expect(sentTo(api)).toEqual([{ roomId: 3, reportedId: 2, ...sent }]);
  });

  test('asks the server to keep the whiteboard only where that was chosen', async () => {
    const api = await open();
    await choose(/욕설/u);
    await act(async () => screen.getByRole('checkbox', { name: /화이트보드/u }).click());
    await press('신고하기');
    expect(sentTo(api)).toEqual([{ roomId: 3, reportedId: 2, reason: 'ABUSE', withBoard: true }]);
  });

  test('other asks for a description of at most 500 characters, and counts them', async () => {
    const api = await open();
    expect(screen.queryByLabelText('신고 내용')).toBeNull();
    await choose(/기타/u);
    const box = screen.getByLabelText('신고 내용');
    expect(box.getAttribute('maxlength')).toBe(String(REPORT_DESCRIPTION_MAX_LENGTH));
    expect(REPORT_DESCRIPTION_MAX_LENGTH).toBe(500);
    fireEvent.change(box, { target: { value: ' 계속 소리쳐요 ' } });
    expect(screen.getByText(/9\/500자/u)).toBeTruthy();
    await press('신고하기');
    expect(sentTo(api)).toMatchObject([{ description: '계속 소리쳐요' }]);
  });

  test('discards its input when it closes', async () => {
    await open();
    await choose(/기타/u);
    fireEvent.change(screen.getByLabelText('신고 내용'), { target: { value: 'text' } });
    await press('취소');
    expect(isOpen()).toBe(false);
    await act(async () => openReport(person));
    for (const radio of screen.getAllByRole('radio'))
      expect(radio).toHaveProperty('checked', false);
    await choose(/기타/u);
    expect(screen.getByLabelText('신고 내용')).toHaveProperty('value', '');
  });

  test('reports a missing internal id of the target', async () => {
    const api = await open({}, { ...person, userId: Number.NaN as UserId });
    await choose(/욕설/u);
    await press('신고하기');
    expect(screen.getByText('신고할 사람의 식별 정보를 찾을 수 없어요.')).toBeTruthy();
    expect(sentTo(api)).toEqual([]);
  });

  test('sends a double press once', async () => {
    const api = await open();
    await choose(/욕설/u);
    const button = screen.getByRole('button', { name: '신고하기' });
    await act(async () => {
      button.click();
      button.click();
    });
    expect(sentTo(api)).toHaveLength(1);
  });
});

describe('a report that was received', () => {
  test('closes the dialog, and says where the answer will be', async () => {
    await open();
    await choose(/욕설/u);
    await press('신고하기');
    expect(isOpen()).toBe(false);
    const done = screen.getByRole('alertdialog', { name: '신고가 접수됐어요.' });
    expect(done.textContent).toContain('고객센터 → 내 신고');
    await press('닫기');
    await act(async () => openReport(person));
    for (const radio of screen.getAllByRole('radio'))
      expect(radio).toHaveProperty('checked', false);
  });

  test('offers to block the person', async () => {
    const api = await open({ '/api/blocks/2': { blockedIds: [2] } });
    await choose(/욕설/u);
    await press('신고하기');
    await press('차단하기');
    expect(await screen.findByRole('alertdialog', { name: '서준님을 차단할까요?' })).toBeTruthy();
    await press('차단하기');
    await waitFor(() => expect(api.asked).toContain('PUT /api/blocks/2'));
  });

  test('offers no block of a person who is blocked already', async () => {
    setBlockedIds(live.userId, [person.userId]);
    await open();
    await choose(/욕설/u);
    await press('신고하기');
    expect(screen.getByRole('alertdialog', { name: '신고가 접수됐어요.' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: '차단하기' })).toBeNull();
  });
});

describe('a report that failed (specification §8)', () => {
  test.each([
    ['the message of the server', () => refusal('alreadyReported'), errors.alreadyReported.ko],
    ['its error text', () => Response.json({ error: 'busy' }, { status: 418 }), 'busy'],
    [
      'the text of the status',
      () => new Response('', { status: 418, statusText: 'teapot' }),
      'teapot',
    ],
    [
      'a text of its own',
      () => new Response('', { status: 418 }),
      '오류가 발생했어요. 잠시 후 다시 시도해 주세요.',
    ],
  ])('says %s, and can be sent again', async (_what, answer, text) => {
    const api = await open({ [REPORTS]: answer });
    await choose(/욕설/u);
    await press('신고하기');
    expect(screen.getByText(text).closest('[role=alert]')).toBeTruthy();
    await press('신고하기');
    expect(sentTo(api)).toHaveLength(2);
  });

  test('of code U001 is only logged', async () => {
    const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await open({
      [REPORTS]: () => Response.json({ message: '없음', errorCode: 'U001' }, { status: 404 }),
    });
    await choose(/욕설/u);
    await press('신고하기');
    expect(screen.queryByText('없음')).toBeNull();
    expect(isOpen()).toBe(true);
    expect(logged).toHaveBeenCalledOnce();
  });
});

describe('a still', () => {
  const STILL = '/api/reports/7/still';

  const clockOf = (status: 'focus' | 'away') => ({ ...stillClock('idle', 0), status });

  /** Their tile with a picture. */
  function showTile(parts: Partial<Tile> = {}) {
    const element = document.createElement('video');
    Object.defineProperties(element, { videoWidth: { value: 1280 }, videoHeight: { value: 720 } });
    const picture = { attach: vi.fn(), detach: vi.fn(), element };
    const tile = {
      userId: person.userId,
      view: 'picture',
      clock: clockOf('focus'),
      picture,
      ...parts,
    } as const;
    store.setState({ tiles: [tile] });
    return element;
  }

  const drawImage = vi.fn();
  beforeEach(() => {
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ drawImage } as never);
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((take) =>
      take(new Blob(['still'], { type: 'image/jpeg' })),
    );
  });
  const stillBox = () => screen.queryByRole('checkbox', { name: /화면 한 장도 보내기/u });

  test('is sent only with the reporter’s consent, as taken when the dialog opened', async () => {
    const video = showTile();
    const api = await open({ [STILL]: {} });
    expect(drawImage).toHaveBeenLastCalledWith(video, 0, 0, 640, 360);
    expect(stillBox()).toHaveProperty('checked', false);
    expect(stillBox()?.closest('form')?.textContent).toContain('30일 뒤에 지워요');
    await choose(/음란/u);
    await press('신고하기');
    expect(sentTo(api)).toHaveLength(1);
    expect(sentTo(api, STILL)).toEqual([]);

    await press('닫기');
    await act(async () => openReport(person));
    await choose(/음란/u);
    await act(async () => stillBox()?.click());
    expect(screen.getByRole('img', { name: '함께 보낼 서준님의 화면' })).toBeTruthy();
    await press('신고하기');
    expect(sentTo(api, STILL)).toHaveLength(1);
  });

  test('that cannot be sent does not affect the report, and this is announced', async () => {
    showTile();
    const api = await open({ [STILL]: () => new Response('', { status: 503 }) });
    await choose(/음란/u);
    await act(async () => stillBox()?.click());
    await press('신고하기');
    expect(sentTo(api, STILL)).toHaveLength(1);
    expect(screen.getByRole('alertdialog', { name: '신고가 접수됐어요.' }).textContent).toContain(
      '화면은 보내지 못했지만',
    );
  });

  test.each([
    ['that is hidden', { view: 'hidden' }],
    ['of a learner who is away, which is blurred', { clock: clockOf('away') }],
  ] as const)('is not offered of a tile %s', async (_what, parts) => {
    showTile(parts);
    await open();
    expect(stillBox()).toBeNull();
  });
});
