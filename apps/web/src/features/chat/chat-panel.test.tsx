import { RoomId, type Today } from '@mogakgong/contract';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ME, message, messages, OTHER, ROOM } from '../../../testing/chat-messages.ts';
import { FakeTransport } from '../../../testing/fake-transport.ts';
import { render } from '../../../testing/render.tsx';
import { ApiError } from '../../shared/api/index.ts';
import { chooseLanguage } from '../../shared/i18n/texts.ts';
import type { RealtimeSnapshot } from '../../shared/realtime/realtime-connection.ts';
import { SendError } from '../../shared/realtime/send-error.ts';
import { takeToday } from '../../shared/today/today.ts';
import { ChatButton, ChatDock, useChatDock } from './chat-dock.tsx';
import { ChatRoom, type ChatRoomOptions } from './chat-room.ts';
import type { ChatView } from './chat-view.ts';
import { UnsentStore } from './outbox.ts';
import { UnsentHere } from './unsent-list.tsx';
import { useUnsentWarning } from './use-unsent-warning.ts';

let transport: FakeTransport;
let change: (view: Partial<Pick<ChatView, 'blockedIds' | 'isMock'>>) => void;

const today: Today = {
  todayStudyTime: 0,
  day: '2026-11-21',
  timeZone: 'Asia/Seoul',
  focusMs: 0,
  runningSinceMs: null,
  dayStartsAtMs: 0,
  dayEndsAtMs: 1,
  serverNowMs: 0,
};
const fetchOlder = vi.fn<NonNullable<ChatRoomOptions['fetchOlder']>>();
const renderName = vi.fn<ChatView['renderName']>(({ nickname }, text) => (
  <button type="button">{text ?? nickname}</button>
));
const connection = (snapshot: Partial<RealtimeSnapshot>) =>
  act(() => transport.store.setState(snapshot));

function Room() {
  const [chat, setChat] = useState<ChatRoom | null>(null);
  useEffect(() => {
    const opened = new ChatRoom({ roomId: ROOM, userId: ME, transport, fetchOlder });
    setChat(opened);
    return () => opened.close();
  }, []);
  const [parts, setParts] = useState<Pick<ChatView, 'blockedIds' | 'isMock'>>({
    blockedIds: new Set(),
  });
  change = (more) => act(() => setParts((before) => ({ ...before, ...more })));
  const dock = useChatDock(ROOM);
  if (chat === null) return null;
  const view = { ...parts, chat, renderName };
  return (
    <>
      <ChatButton view={view} dock={dock} />
      {dock.isOpen && <ChatDock view={view} dock={dock} />}
    </>
  );
}

function Stopped() {
  useUnsentWarning(ME);
  return <UnsentHere userId={ME} />;
}

function recover(...page: ReturnType<typeof messages>): void {
  act(() =>
    transport.deliver(
      { kind: 'recovery', recovered: false, hasOlder: false, messages: page },
      { kind: 'recovery' },
    ),
  );
}
const deliver = (parts: Parameters<typeof message>[0]) =>
  act(() => transport.deliver(message(parts)));
const input = () => screen.getByRole('textbox', { name: '메시지' });
const openButton = () => screen.getByRole('button', { name: /^채팅 열기/u });
const open = () => fireEvent.click(openButton());
const type = (text: string) => fireEvent.change(input(), { target: { value: text } });

// The panel is downloaded once, in real time.
beforeAll(async () => {
  await chooseLanguage('ko');
  transport = new FakeTransport();
  render(<Room />);
  open();
  await screen.findByRole('textbox', { name: '메시지' });
  cleanup();
});
beforeEach(() => {
  // A draft of the previous test is stored at the latest when the page ends.
  window.dispatchEvent(new Event('pagehide'));
  sessionStorage.clear();
  // Every message gets its own frame.
  vi.stubGlobal('requestAnimationFrame', (draw: FrameRequestCallback) => void draw(0));
  fetchOlder.mockReset().mockResolvedValue({ messages: [], hasOlder: false });
  transport = new FakeTransport();
  render(<Room />);
});

test('older messages that could not be loaded are loaded again by a press, not by every scroll', async () => {
  open();
  act(() =>
    transport.deliver(
      { kind: 'recovery', recovered: false, hasOlder: true, messages: messages(5, 6) },
      { kind: 'recovery' },
    ),
  );
  const log = screen.getByRole('log');
  for (const [name, value] of [
    ['scrollHeight', 2_000],
    ['clientHeight', 300],
  ] as const) {
    Object.defineProperty(log, name, { value });
  }
  deliver({ number: 7 });
  const scrollTo = async (px: number) => {
    log.scrollTop = px;
    await act(async () => fireEvent.scroll(log));
  };
  fetchOlder.mockRejectedValue(new ApiError('이전 메시지를 불러오지 못했어요.', { status: 0 }));
  await scrollTo(100);
  expect(fetchOlder).toHaveBeenCalledOnce();
  expect(within(log).getByRole('alert').textContent).toBe('이전 메시지를 불러오지 못했어요.');
  await scrollTo(90);
  await scrollTo(80);
  expect(fetchOlder).toHaveBeenCalledOnce();
  fetchOlder.mockResolvedValue({ messages: messages(3, 4), hasOlder: false });
  await act(async () => fireEvent.click(within(log).getByRole('button', { name: '다시 시도' })));
  expect(within(log).getByText('m3')).toBeTruthy();
  expect(within(log).queryByRole('alert')).toBeNull();
});

describe('the button', () => {
  test('counts others’ messages since the learner entered, and opens the panel', () => {
    recover(...messages(1, 2));
    expect(openButton().getAttribute('aria-label')).toBe('채팅 열기');
    deliver({ number: 3 });
    deliver({ number: 4, senderId: ME });
    expect(openButton().getAttribute('aria-label')).toBe('채팅 열기, 새 메시지 1개');
    open();
    expect(screen.getByRole('heading', { name: '스터디룸 채팅 (7번 방)' })).toBeTruthy();
    expect(screen.getByText('여기까지 읽었어요')).toBeTruthy();
    // Its field loses the focus while it is still in the page, or React keeps the whole panel in memory.
    const leave = vi.fn();
    input().addEventListener('focusout', leave);
    fireEvent.keyDown(input(), { key: 'Escape' });
    expect(document.activeElement).toBe(openButton());
    expect(leave).toHaveBeenCalledOnce();
    expect(openButton().getAttribute('aria-label')).toBe('채팅 열기');
  });

  test('is open again after a reload, without taking the focus; closed it stays closed', () => {
    open();
    cleanup();
    render(<Room />);
    expect(input()).toBeTruthy();
    expect(document.activeElement).toBe(document.body);
    fireEvent.click(screen.getByRole('button', { name: '채팅 닫기' }));
    expect(document.activeElement).toBe(openButton());
    cleanup();
    render(<Room />);
    expect(openButton()).toBeTruthy();
    expect(document.activeElement).toBe(document.body);
  });

  test('keeps the draft', () => {
    recover();
    open();
    type('쓰다 만 말');
    fireEvent.click(screen.getByRole('button', { name: '채팅 닫기' }));
    open();
    expect((input() as HTMLTextAreaElement).value).toBe('쓰다 만 말');
  });
});

describe('a text that cannot be sent from here', () => {
  const stranded = {
    clientId: 'c',
    roomId: RoomId.parse(3),
    epoch: 1,
    content: '세 번 방에게',
    writtenAtMs: 0,
    triedAfter: null,
    problem: null,
  };

  test('is listed in the panel with its room, until it is discarded', () => {
    cleanup();
    new UnsentStore(ME).saveMessages([stranded]);
    render(<Room />);
    open();
    recover();
    const left = screen.getByRole('region', { name: '보내지 못한 메시지' });
    expect(within(left).getByText('세 번 방에게')).toBeTruthy();
    expect(within(left).getByText('3번 스터디룸')).toBeTruthy();
    expect(within(left).queryByRole('button', { name: '다시 보내기' })).toBeNull();
    expect(transport.sent).toEqual([]);
    fireEvent.click(within(left).getByRole('button', { name: '지우기' }));
    expect(screen.queryByText('세 번 방에게')).toBeNull();
    expect(new UnsentStore(ME).messages()).toEqual([]);
  });

  test('is listed on a page without a chat, and warns before the tab closes', () => {
    cleanup();
    new UnsentStore(ME).saveMessages([stranded]);
    const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    render(<Stopped />);
    expect(asks()).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: '지우기' }));
    expect(screen.queryByText('세 번 방에게')).toBeNull();
    expect(asks()).toBe(false);
  });
});

describe('writing', () => {
  beforeEach(() => {
    recover();
    open();
  });

  test('Enter sends the text and empties the field', () => {
    type('안녕하세요');
    fireEvent.keyDown(input(), { key: 'Enter', keyCode: 13 });
    expect(transport.sent.map(({ body }) => body.content)).toEqual(['안녕하세요']);
    expect((input() as HTMLTextAreaElement).value).toBe('');
    expect(screen.getByText('보내는 중')).toBeTruthy();
  });

  test.each([
    ['ends a syllable in Safari', { keyCode: 229 }],
    ['ends a syllable', { keyCode: 13, isComposing: true }],
    ['begins a line', { keyCode: 13, shiftKey: true }],
  ])('the Enter that %s sends nothing', (_, press) => {
    type('안녕하세');
    fireEvent.keyDown(input(), { key: 'Enter', ...press });
    expect(transport.sent).toEqual([]);
    expect((input() as HTMLTextAreaElement).value).toBe('안녕하세');
  });

  test('a text that is too long stays, and says so', () => {
    type('가'.repeat(2_001));
    fireEvent.click(screen.getByRole('button', { name: '보내기' }));
    expect(transport.sent).toEqual([]);
    expect(screen.getByText('2000자까지 쓸 수 있어요. 지금 2001자예요.')).toBeTruthy();
    expect(input().getAttribute('aria-invalid')).toBe('true');
  });

  test('the limit is announced when it is near and when it is exceeded, not at every key', () => {
    const said = () => screen.getByTestId('chat-limit').textContent;
    const saidAt = (length: number) => {
      type('가'.repeat(length));
      return said();
    };
    expect([1_899, 1_900, 1_901, 1_979].map(saidAt)).toEqual([
      '',
      '남은 글자가 100자 이하예요.',
      '남은 글자가 100자 이하예요.',
      '남은 글자가 100자 이하예요.',
    ]);
    expect([1_980, 2_000].map(saidAt)).toEqual(Array(2).fill('남은 글자가 20자 이하예요.'));
    expect([2_001, 2_050].map(saidAt)).toEqual(Array(2).fill('2000자를 넘어서 보낼 수 없어요.'));
    expect(screen.getByText('2000자까지 쓸 수 있어요. 지금 2050자예요.').ariaLive).toBeFalsy();
  });

  test('waits while the server fails to store, and the panel says so', async () => {
    type('안녕하세요');
    fireEvent.keyDown(input(), { key: 'Enter', keyCode: 13 });
    const error = new SendError('unavailable', '지금은', 'unavailable');
    await act(async () => transport.sent[0]?.fail(error));
    expect(screen.getByText(/저장하지 못하고 있어요/u)).toBeTruthy();
    expect(screen.getByText('보낼 수 있을 때 보내요')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test.each(['다시 보내기', '지우기'])('%s gives the focus to the input', async (name) => {
    type('안녕하세요');
    fireEvent.keyDown(input(), { key: 'Enter', keyCode: 13 });
    await act(async () => transport.sent[0]?.fail(new SendError('refused', '안 됩니다')));
    const button = screen.getByRole('button', { name });
    act(() => button.focus());
    fireEvent.click(button);
    await vi.waitFor(() => expect(document.activeElement).toBe(input()));
    expect(button.isConnected).toBe(false);
  });
});

describe('the connection', () => {
  test.each([
    ['connected', '연결됨'],
    ['connecting', '연결하는 중'],
    ['disconnected', '연결 끊김'],
  ] as const)('%s has a text', (state, text) => {
    open();
    connection({ state });
    expect(screen.getByText(text)).toBeTruthy();
  });

  test('that is lost is explained, and its return is announced', () => {
    open();
    const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
    const sentence = '연결이 끊겼어요. 다시 연결되면 쓴 메시지를 보내요.';
    expect(said()).not.toContain(sentence);
    connection({ state: 'disconnected' });
    expect(said()).toContain(sentence);
    expect(said()).not.toContain('연결 끊김');
    connection({ state: 'connected' });
    expect(said()).toContain('다시 연결됐어요.');
  });

  test('that the server refuses has a reason', () => {
    open();
    connection({ state: 'disconnected', refusal: '열려 있는 창이 너무 많아요.' });
    expect(screen.getByText('열려 있는 창이 너무 많아요.')).toBeTruthy();
  });

  test('of the mock has the Mock label (specification §2)', () => {
    open();
    change({ isMock: true });
    expect(screen.getByText('Mock')).toBeTruthy();
  });
});

describe('the log', () => {
  test('shows others with name and picture, and text as text', () => {
    open();
    recover(message({ number: 1, content: '<b>hi</b> https://example.org' }));
    const log = screen.getByRole('log');
    expect(within(log).getByText('<b>hi</b> https://example.org')).toBeTruthy();
    expect(within(log).queryByRole('link')).toBeNull();
    expect(within(log).getByRole('button', { name: '이름 2' })).toBeTruthy();
  });

  test('shows times in the zone of the learner’s settings, like the statistics', async () => {
    takeToday(ME, { ...today, timeZone: 'America/New_York' });
    open();
    recover(message({ number: 1, seconds: 0 }));
    expect(screen.getByText('오전 7:00').getAttribute('datetime')).toBe('2026-11-21T12:00:00.000Z');
    act(() => takeToday(ME, { ...today, timeZone: 'Asia/Seoul' }));
    expect(await screen.findByText('오후 9:00')).toBeTruthy();
  });

  test('draws a run of blank lines as one, and keeps a text’s direction to itself', () => {
    open();
    recover(message({ number: 1, content: '위\n\n\n \n\t\n\n아래\n끝 \u202e거꾸로' }));
    const bubble = within(screen.getByRole('log')).getByText(/위/u);
    expect(bubble.textContent).toBe('위\n\n아래\n끝 \u202e거꾸로');
    expect(bubble.tagName).toBe('BDI');
  });

  test('shows as much of a very long message as fits, and the rest on demand', () => {
    const heightOf = (element: HTMLElement) => (element.textContent?.length ?? 0) > 500;
    vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function height(
      this: HTMLElement,
    ) {
      return heightOf(this) ? 900 : 20;
    });
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(300);
    open();
    recover(message({ number: 1, content: '가'.repeat(2_000) }), message({ number: 2 }));
    const more = screen.getByRole('button', { name: '더 보기' });
    expect(more.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(more);
    expect(screen.getByRole('button', { name: '접기' }).getAttribute('aria-expanded')).toBe('true');
  });

  test('has one placeholder for consecutive messages of a blocked learner', () => {
    open();
    recover(...messages(1, 3));
    change({ blockedIds: new Set([OTHER]) });
    expect(screen.getAllByText('(차단한 유저의 메시지입니다.)')).toHaveLength(1);
    expect(screen.queryByText('m1')).toBeNull();
    change({ blockedIds: new Set() });
    expect(screen.getByText('m1')).toBeTruthy();
  });

  test('renders one row for one new message, and none while the learner types', () => {
    // Every message is a run of its own, so that each row draws its sender's name.
    const minute = (number: number) => message({ number, seconds: number * 60 });
    open();
    recover(...Array.from({ length: 50 }, (_, index) => minute(index + 1)));
    renderName.mockClear();
    deliver({ number: 51, seconds: 51 * 60 });
    expect(renderName).toHaveBeenCalledOnce();
    type('쓰다');
    type('쓰다 만 말');
    expect(renderName).toHaveBeenCalledOnce();
    connection({ state: 'disconnected' });
    expect(renderName).toHaveBeenCalledOnce();
  });

  test('is announced to screen readers a few messages at a time', () => {
    vi.useFakeTimers();
    open();
    recover(...messages(1, 2));
    const said = () => screen.getByTestId('chat-announcement').textContent;
    const wait = () => act(() => vi.advanceTimersByTime(3_000));
    wait();
    expect(said()).toBe('');
    deliver({ number: 3 });
    deliver({ number: 4 });
    expect(said()).toBe('');
    wait();
    expect(said()).toBe('이름 2: m3 이름 2: m4');
    for (let number = 5; number <= 9; number += 1) deliver({ number });
    wait();
    expect(said()).toBe('새 메시지 5개가 왔어요.');
  });

  test('is announced again when the same text is sent again', () => {
    vi.useFakeTimers();
    open();
    recover();
    const wait = () => act(() => vi.advanceTimersByTime(3_000));
    const region = () =>
      within(screen.getByTestId('chat-announcement')).getByText('이름 2: 네', { selector: 'p' });
    deliver({ number: 1, content: '네' });
    wait();
    const first = region();
    deliver({ number: 2, content: '네' });
    wait();
    expect(region()).not.toBe(first);
    expect(first.textContent).toBe('');
  });
});
