import { CHAT_LIST_MAX, type ChatMessage, chatMessageId, RoomId } from '@mogakgong/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ME, message, messages, OTHER, ROOM } from '../../../testing/chat-messages.ts';
import { FakeTransport } from '../../../testing/fake-transport.ts';
import { SendError } from '../../shared/realtime/send-error.ts';
import { ChatRoom } from './chat-room.ts';
import { UnsentStore } from './outbox.ts';

const fetchOlder = vi.fn();
let transport: FakeTransport;
let chat: ChatRoom;

function open(roomId = ROOM): ChatRoom {
  return new ChatRoom({ roomId, userId: ME, transport, fetchOlder });
}

function recover(page: readonly ChatMessage[], more: object = {}): void {
  const recovery = { kind: 'recovery', recovered: false, hasOlder: false, messages: page, ...more };
  transport.deliver(recovery, { kind: 'recovery' });
}

const texts = () => chat.store.getState().messages.map(({ content }) => content);
const outgoing = () =>
  chat.store.getState().outgoing.map(({ content, state }) => `${content}: ${state}`);
const lastId = () => transport.subscribed.at(-1)?.['last-id'];
/** The n-th send, once it exists. */
const sent = (index: number) =>
  vi.waitFor(() => {
    const send = transport.sent[index];
    if (send === undefined) throw new Error(`nothing was sent as number ${index}`);
    return send;
  });

beforeEach(() => {
  sessionStorage.clear();
  fetchOlder.mockReset();
  transport = new FakeTransport();
  chat = open();
});
afterEach(() => chat.close());

describe('the log', () => {
  test('starts with a page of history and continues from there', () => {
    expect(lastId()).toBe('');
    expect(chat.store.getState().hasLoaded).toBe(false);
    recover(messages(1, 2));
    transport.deliver(message({ number: 3 }));
    expect(texts()).toEqual(['m1', 'm2', 'm3']);
  });

  test('shows each message once, even if it is delivered again', () => {
    recover(messages(1, 3));
    transport.deliver(message({ number: 2 }));
    transport.deliver(message({ number: 3 }));
    recover(messages(2, 4), { recovered: true });
    expect(texts()).toEqual(['m1', 'm2', 'm3', 'm4']);
  });

  test('requests missed messages after a reconnect', () => {
    recover(messages(1, 2));
    transport.change('disconnected');
    transport.change('connected');
    expect(lastId()).toBe(chatMessageId({ roomId: ROOM, epoch: 1, number: 2 }));
    recover(messages(3, 5), { recovered: true });
    expect(texts()).toEqual(['m1', 'm2', 'm3', 'm4', 'm5']);
    expect(chat.store.getState().gapBeforeId).toBeNull();
  });

  test('fills a gap with one request, from the last message before it', () => {
    recover(messages(1, 2));
    const asked = transport.subscribed.length;
    transport.deliver(message({ number: 5 }));
    transport.deliver(message({ number: 6 }));
    expect(transport.subscribed.length).toBe(asked + 1);
    expect(lastId()).toBe(chatMessageId({ roomId: ROOM, epoch: 1, number: 2 }));
    recover(messages(3, 6), { recovered: true });
    expect(texts()).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'm6']);
  });

  test('is replaced by a fresh page where too much was missed, and marks the possible gap', () => {
    recover(messages(1, 2));
    recover(messages(300, 301), { hasOlder: true });
    expect(texts()).toEqual(['m300', 'm301']);
    expect(chat.store.getState()).toMatchObject({
      hasOlder: true,
      gapBeforeId: chatMessageId({ roomId: ROOM, epoch: 1, number: 300 }),
    });
  });

  test('of a new gathering shows nothing of the previous one, and has no gap', () => {
    recover(messages(1, 3));
    recover([], {});
    expect(chat.store.getState()).toMatchObject({ messages: [], gapBeforeId: null });
    recover(messages(1, 3));
    recover(messages(1, 1, { epoch: 2 }));
    expect(chat.store.getState()).toMatchObject({ gapBeforeId: null });
    expect(texts()).toEqual(['m1']);
  });

  test('ignores messages of another room, and logs unreadable ones (specification §4)', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    recover(messages(1, 1));
    transport.deliver(message({ number: 2, roomId: 8 as typeof ROOM }));
    transport.deliver({ hello: true });
    transport.deliver(undefined);
    recover(messages(1, 9, { roomId: 8 as typeof ROOM }));
    expect(texts()).toEqual(['m1']);
    expect(log.mock.calls).toEqual([
      ['chat: a message could not be read'],
      ['chat: a message could not be read'],
    ]);
  });

  test(`keeps ${CHAT_LIST_MAX} messages (specification §9)`, () => {
    recover(messages(1, CHAT_LIST_MAX));
    transport.deliver(message({ number: CHAT_LIST_MAX + 1 }));
    expect(chat.store.getState().messages).toHaveLength(CHAT_LIST_MAX);
    expect(texts().at(0)).toBe('m2');
    expect(texts().at(-1)).toBe(`m${CHAT_LIST_MAX + 1}`);
  });

  test('puts older pages before it, as far as there is room', async () => {
    recover(messages(451, 500), { hasOlder: true });
    fetchOlder.mockResolvedValueOnce({ messages: messages(401, 450), hasOlder: true });
    await chat.loadOlder();
    expect(fetchOlder).toHaveBeenCalledWith(chatMessageId({ roomId: ROOM, epoch: 1, number: 451 }));
    expect(texts()).toHaveLength(100);
    expect(texts()[0]).toBe('m401');

    fetchOlder.mockResolvedValueOnce({ messages: messages(1, 400), hasOlder: true });
    await chat.loadOlder();
    expect(chat.store.getState()).toMatchObject({ hasOlder: false, isLoadingOlder: false });
    await chat.loadOlder();
    expect(fetchOlder).toHaveBeenCalledTimes(2);
  });

  test('loads older messages again after a failure', async () => {
    recover(messages(5, 6), { hasOlder: true });
    fetchOlder.mockRejectedValueOnce(new Error('no network'));
    await chat.loadOlder();
    const state = () => chat.store.getState();
    expect(state()).toMatchObject({ hasOlder: true, isLoadingOlder: false });
    expect(state().olderFailure).not.toBeNull();
    recover(messages(5, 6), { hasOlder: true });
    expect(state().olderFailure).toBeNull();
    fetchOlder.mockResolvedValueOnce({ messages: messages(3, 4), hasOlder: true });
    await chat.loadOlder();
    expect(texts()).toEqual(['m3', 'm4', 'm5', 'm6']);
  });

  test('knows the read messages', () => {
    recover(messages(1, 2));
    expect(chat.store.getState().readNumber).toBe(2);
    transport.deliver(message({ number: 3 }));
    expect(chat.store.getState().readNumber).toBe(2);
    chat.markRead();
    expect(chat.store.getState().readNumber).toBe(3);
  });

  test('does not count the first messages, sent during an outage, as read', () => {
    recover([]);
    recover(messages(1, 1));
    expect(chat.store.getState().readNumber).toBe(0);
  });
});

const idOf = (number: number) => chatMessageId({ roomId: ROOM, epoch: 1, number });
const own = (number: number, content: string) => message({ number, senderId: ME, content });

describe('writing', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    recover([]);
  });
  /** The n-th send, after the delay between two tries. */
  const sentAgain = async (index: number) => {
    await vi.advanceTimersByTimeAsync(1_100);
    return sent(index);
  };

  test('without a connection is logged, and sends nothing yet (specification §4)', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    chat.write('connected');
    expect(log).not.toHaveBeenCalled();
    transport.change('disconnected');
    chat.write('later');
    expect(log).toHaveBeenCalledExactlyOnceWith('chat: not connected, the message waits');
    expect(transport.sent.map(({ body }) => body.content)).toEqual(['connected']);
  });

  test('sends the trimmed text, and no empty one (specification §5)', async () => {
    expect(chat.write('   \n ')).toBe(false);
    expect(chat.write('가'.repeat(2_001))).toBe(false);
    expect(chat.write('  안녕  ')).toBe(true);
    expect((await sent(0)).body).toMatchObject({ senderId: ME, roomId: ROOM, content: '안녕' });
    expect(transport.sent).toHaveLength(1);
  });

  test('waits for the log, which names the gathering', async () => {
    chat.close();
    chat = open();
    chat.write('일찍');
    expect(outgoing()).toEqual(['일찍: queued']);
    expect(transport.sent).toHaveLength(0);
    recover([]);
    expect((await sent(0)).body.content).toBe('일찍');
  });

  test('sends a possibly lost message again under the same id, in its place', async () => {
    chat.write('one');
    chat.write('two');
    const first = await sent(0);
    transport.store.setState({ state: 'disconnected' });
    first.fail(new SendError('lost'));
    await vi.waitFor(() => expect(outgoing()).toEqual(['one: queued', 'two: queued']));
    transport.change('connected');
    expect(transport.sent).toHaveLength(1);
    recover([], { recovered: true });
    const again = await sent(1);
    expect([again.body.content, again.clientId]).toEqual(['one', first.clientId]);
    again.confirm(idOf(1));
    expect((await sent(2)).body.content).toBe('two');
  });

  test('survives a reload', async () => {
    transport.change('disconnected');
    chat.write('typed offline');
    const { clientId } = chat.store.getState().outgoing[0] ?? {};
    chat.close();
    transport = new FakeTransport();
    chat = open();
    expect(outgoing()).toEqual(['typed offline: queued']);
    recover([]);
    expect((await sent(0)).clientId).toBe(clientId);
  });

  test('is retried after a delay when it is lost on a live connection', async () => {
    chat.write('hello');
    const first = await sent(0);
    first.fail(new SendError('lost'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(transport.sent).toHaveLength(1);
    const again = await sentAgain(1);
    expect(again.clientId).toBe(first.clientId);
  });

  test('is returned to the learner when it is lost repeatedly, or cannot be sent at all', async () => {
    chat.write('hello');
    for (let index = 0; index <= 8; index += 1) {
      (await sentAgain(index)).fail(new SendError('lost'));
    }
    await vi.waitFor(() => expect(outgoing()).toEqual(['hello: failed']));
    chat.write('and again');
    (await sent(9)).fail(new TypeError('no such thing') as SendError);
    await vi.waitFor(() => expect(outgoing()[1]).toBe('and again: failed'));
    chat.retry(chat.store.getState().outgoing[1]?.clientId ?? '');
    expect((await sent(10)).body.content).toBe('and again');
  });

  test('is sent again automatically, in order, while the server fails to store it', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const unavailable = () => new SendError('unavailable', '지금은', 'unavailable', 3_000);
    chat.write('first');
    chat.write('second');
    (await sent(0)).fail(unavailable());
    await vi.advanceTimersByTimeAsync(2_999);
    expect(transport.sent).toHaveLength(1);
    expect(outgoing()).toEqual(['first: queued', 'second: queued']);
    expect(chat.store.getState().isHeldUp).toBe(true);
    for (let tries = 1; tries < 30; tries += 1) {
      await vi.advanceTimersByTimeAsync(10_000);
      (await sent(tries)).fail(unavailable());
    }
    await vi.advanceTimersByTimeAsync(10_000);
    (await sent(30)).confirm(idOf(1));
    (await sent(31)).confirm(idOf(2));
    await vi.waitFor(() => expect(outgoing()).toEqual(['first: sent', 'second: sent']));
    expect(new Set(transport.sent.slice(0, 31).map(({ clientId }) => clientId)).size).toBe(1);
    expect(transport.sent[31]?.body.content).toBe('second');
    expect(chat.store.getState().isHeldUp).toBe(false);
  });

  test('is returned to the learner after some tries when the server fails for an unknown reason', async () => {
    chat.write('hello');
    for (let index = 0; index <= 8; index += 1) {
      (await sent(index)).fail(new SendError('unavailable', '오류', 'internal'));
      await vi.advanceTimersByTimeAsync(15_000);
    }
    expect(outgoing()).toEqual(['hello: failed']);
    expect(chat.store.getState().isHeldUp).toBe(false);
  });

  test('that arrived in an earlier gathering is removed', async () => {
    chat.write('hello');
    (await sent(0)).fail(new SendError('lost'));
    (await sentAgain(1)).fail(new SendError('refused', '이미 보낸', 'chatSentElsewhere'));
    await vi.waitFor(() => expect(outgoing()).toEqual([]));
    expect(sessionStorage).toHaveLength(0);
  });

  test('slows down by itself when it was too fast', async () => {
    chat.write('fast');
    (await sent(0)).fail(new SendError('refused', 'too fast', 'chatTooFast'));
    const again = await sentAgain(1);
    expect(again.clientId).toBe(transport.sent[0]?.clientId);
    again.confirm(idOf(1));
    await vi.waitFor(() => expect(outgoing()).toEqual(['fast: sent']));
  });

  test('keeps a refused message, with the reason, until it is sent again or discarded', async () => {
    chat.write('refused');
    (await sent(0)).fail(new SendError('refused', '안 됩니다', 'chatTooLong'));
    await vi.waitFor(() => expect(outgoing()).toEqual(['refused: failed']));
    const [failed] = chat.store.getState().outgoing;
    expect(failed?.problem).toBe('안 됩니다');
    chat.retry(failed?.clientId ?? '');
    expect((await sent(1)).clientId).toBe(failed?.clientId);
    chat.discard(failed?.clientId ?? '');
    expect(outgoing()).toEqual([]);
    expect(sessionStorage).toHaveLength(0);
  });

  test('does not automatically send a message so old that others may sit in the room', async () => {
    transport.change('disconnected');
    chat.write('old');
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + 11 * 60_000);
    transport.change('connected');
    recover([], { recovered: true });
    await vi.waitFor(() => expect(outgoing()).toEqual(['old: failed']));
    expect(transport.sent).toHaveLength(0);
  });
});

describe('an unsent message', () => {
  const OTHER_ROOM = RoomId.parse(8);
  const leftovers = () =>
    chat.store.getState().leftovers.map(({ roomId, text }) => `${roomId} ${text}`);
  const reopen = (roomId = ROOM) => {
    chat.close();
    transport = new FakeTransport();
    chat = open(roomId);
  };
  const writeOffline = (text: string) => {
    transport.change('disconnected');
    chat.write(text);
  };

  test('is sent on return to the same gathering, whatever the reason of the absence', async () => {
    recover(messages(1, 2));
    writeOffline('잠깐만요');
    new UnsentStore(ME).endUnknownGathering(ROOM);
    reopen();
    recover(messages(1, 4));
    expect((await sent(0)).body.content).toBe('잠깐만요');
    expect(leftovers()).toEqual([]);
  });

  test('is not sent to another gathering of the room, and can be copied and discarded', () => {
    recover(messages(1, 2));
    writeOffline('우리끼리');
    reopen();
    recover(messages(1, 1, { epoch: 2 }));
    expect([outgoing(), leftovers()]).toEqual([[], ['7 우리끼리']]);
    reopen();
    recover([]);
    expect([outgoing(), leftovers()]).toEqual([[], ['7 우리끼리']]);
    expect(transport.sent).toHaveLength(0);
    const [left] = chat.store.getState().leftovers;
    if (left) chat.discardLeftover(left);
    expect(leftovers()).toEqual([]);
    expect(sessionStorage).toHaveLength(0);
  });

  test('is not sent if the gathering ended while the learner was disconnected', () => {
    recover(messages(1, 2));
    writeOffline('아직 있나요');
    transport.change('connected');
    recover([]);
    expect([outgoing(), leftovers()]).toEqual([[], ['7 아직 있나요']]);
    expect(transport.sent).toHaveLength(0);
  });

  test('in a gathering without messages is sent after a reload, not after the seat was given up', async () => {
    recover([]);
    writeOffline('첫마디');
    reopen();
    recover([]);
    (await sent(0)).fail(new SendError('lost'));
    chat.close();
    new UnsentStore(ME).endUnknownGathering(ROOM);
    reopen();
    recover([]);
    expect([outgoing(), leftovers()]).toEqual([[], ['7 첫마디']]);
    expect(transport.sent).toHaveLength(0);
  });

  test('is never sent into another room, and waits in its own', async () => {
    recover(messages(1, 2));
    writeOffline('일곱 번 방에게');
    chat.setDraft('쓰다 만 말');
    reopen(OTHER_ROOM);
    recover(messages(1, 1, { roomId: OTHER_ROOM }));
    expect(leftovers()).toEqual(['7 일곱 번 방에게', '7 쓰다 만 말']);
    expect([outgoing(), chat.draft.getState().text]).toEqual([[], '']);
    expect(transport.sent).toHaveLength(0);
    reopen();
    recover(messages(1, 2));
    expect((await sent(0)).body.content).toBe('일곱 번 방에게');
    expect(chat.draft.getState().text).toBe('쓰다 만 말');
  });

  test('of another room can be discarded, drafts too', () => {
    chat.setDraft('쓰다 만 말');
    reopen(OTHER_ROOM);
    const [draft] = chat.store.getState().leftovers;
    if (draft) chat.discardLeftover(draft);
    expect(leftovers()).toEqual([]);
    reopen();
    expect(chat.draft.getState().text).toBe('');
  });

  test('belongs to one learner', () => {
    writeOffline('내 말');
    expect(new UnsentStore(ME).all().map(({ text }) => text)).toEqual(['내 말']);
    expect(new UnsentStore(OTHER).all()).toEqual([]);
  });

  /** A tab's storage with writes that the test sees; happy-dom's cannot be spied on. */
  function replaceStorage(setItem: (key: string, value: string) => void) {
    const removeItem = vi.fn();
    vi.stubGlobal('sessionStorage', { getItem: () => null, removeItem, setItem });
    return removeItem;
  }

  test('lasts as long as the page where the browser stores nothing', () => {
    replaceStorage(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    chat.setDraft('쓰다 만 말');
    window.dispatchEvent(new Event('pagehide'));
    reopen();
    expect(chat.draft.getState().text).toBe('쓰다 만 말');
    chat.setDraft('');
  });

  test('is stored twice a second while it is typed, and when the page ends', () => {
    vi.useFakeTimers();
    const stored: string[] = [];
    const removed = replaceStorage((_key, value) => void stored.push(JSON.parse(value)[ROOM]));
    for (let length = 1; length <= 20; length += 1) {
      chat.setDraft('ㅋ'.repeat(length));
      vi.advanceTimersByTime(50);
    }
    expect(stored).toEqual(['ㅋ'.repeat(10), 'ㅋ'.repeat(20)]);
    chat.setDraft('끝');
    window.dispatchEvent(new Event('pagehide'));
    expect(stored.at(-1)).toBe('끝');
    expect(removed).not.toHaveBeenCalled();
    chat.setDraft('');
    expect(removed).toHaveBeenCalledOnce();
  });
});

describe('an own message becomes the log’s by the id of its receipt', () => {
  beforeEach(() => recover(messages(1, 2)));
  /** All shown messages of the learner, in order. */
  const shown = () => [
    ...chat.store
      .getState()
      .messages.filter(({ senderId }) => senderId === ME)
      .map(({ id, content }) => `${id} ${content}`),
    ...outgoing(),
  ];

  test('when the receipt comes first', async () => {
    chat.write('안녕');
    (await sent(0)).confirm(idOf(3));
    await vi.waitFor(() => expect(shown()).toEqual(['안녕: sent']));
    transport.deliver(own(3, '안녕'));
    expect(shown()).toEqual([`${idOf(3)} 안녕`]);
    expect(sessionStorage).toHaveLength(0);
  });

  test('when the message comes first', async () => {
    chat.write('안녕');
    transport.deliver(own(3, '안녕'));
    expect(shown()).toEqual(['안녕: sending']);
    transport.deliver(message({ number: 4 }));
    (await sent(0)).confirm(idOf(3));
    await vi.waitFor(() => expect(shown()).toEqual([`${idOf(3)} 안녕`]));
    expect(texts()).toEqual(['m1', 'm2', '안녕', 'm4']);
    expect(sessionStorage).toHaveLength(0);
  });

  test('and not by its text: the same text from another tab is another message', async () => {
    chat.write('ㅎㅇ');
    transport.deliver(own(3, 'ㅎㅇ'));
    (await sent(0)).confirm(idOf(4));
    await vi.waitFor(() => expect(shown()).toEqual([`${idOf(3)} ㅎㅇ`, 'ㅎㅇ: sent']));
    transport.deliver(own(4, 'ㅎㅇ'));
    expect(shown()).toEqual([`${idOf(3)} ㅎㅇ`, `${idOf(4)} ㅎㅇ`]);
  });

  test('and a failed one stays, whatever the log contains', async () => {
    chat.write('ㅎㅇ');
    const first = await sent(0);
    transport.deliver(own(3, 'ㅎㅇ'));
    first.fail(new SendError('refused', '안 됩니다', 'chatTooLong'));
    await vi.waitFor(() => expect(shown()).toEqual([`${idOf(3)} ㅎㅇ`, 'ㅎㅇ: failed']));
    transport.deliver(own(4, 'ㅎㅇ'));
    expect(shown().at(-1)).toBe('ㅎㅇ: failed');
  });

  test('in a replay after the receipt was lost: shown once all the time', async () => {
    chat.write('안녕');
    const first = await sent(0);
    transport.change('disconnected');
    first.fail(new SendError('lost'));
    await vi.waitFor(() => expect(shown()).toEqual(['안녕: queued']));
    transport.change('connected');
    recover([own(3, '안녕'), message({ number: 4 })], { recovered: true });
    expect(shown()).toEqual(['안녕: sending']);
    const again = await sent(1);
    expect(again.clientId).toBe(first.clientId);
    again.confirm(idOf(3));
    await vi.waitFor(() => expect(shown()).toEqual([`${idOf(3)} 안녕`]));
  });

  test('in a fresh page after a reload, though an older message says the same', async () => {
    transport.deliver(own(3, 'ㅎㅇ'));
    chat.write('ㅎㅇ');
    await sent(0);
    chat.close();
    transport = new FakeTransport();
    chat = open();
    recover([...messages(1, 2), own(3, 'ㅎㅇ'), own(4, 'ㅎㅇ'), message({ number: 5 })]);
    expect(shown()).toEqual([`${idOf(3)} ㅎㅇ`, 'ㅎㅇ: sending']);
    (await sent(0)).confirm(idOf(4));
    await vi.waitFor(() => expect(shown()).toEqual([`${idOf(3)} ㅎㅇ`, `${idOf(4)} ㅎㅇ`]));
  });

  test('in an older page', async () => {
    chat.write('안녕');
    const first = await sent(0);
    transport.change('disconnected');
    first.fail(new SendError('lost'));
    transport.change('connected');
    recover(messages(300, 301), { hasOlder: true });
    (await sent(1)).confirm(idOf(3));
    await vi.waitFor(() => expect(shown()).toEqual([]));
    fetchOlder.mockResolvedValueOnce({
      messages: [own(3, '안녕'), ...messages(4, 5)],
      hasOlder: true,
    });
    await chat.loadOlder();
    expect(shown()).toEqual([`${idOf(3)} 안녕`]);
  });

  test('twice if it was written twice', async () => {
    chat.write('ㅎㅇ');
    chat.write('ㅎㅇ');
    expect(transport.sent).toHaveLength(1);
    (await sent(0)).confirm(idOf(3));
    const second = await sent(1);
    expect(second.clientId).not.toBe(transport.sent[0]?.clientId);
    transport.deliver(own(3, 'ㅎㅇ'));
    expect(shown()).toEqual([`${idOf(3)} ㅎㅇ`, 'ㅎㅇ: sending']);
    transport.deliver(own(4, 'ㅎㅇ'));
    second.confirm(idOf(4));
    await vi.waitFor(() => expect(shown()).toEqual([`${idOf(3)} ㅎㅇ`, `${idOf(4)} ㅎㅇ`]));
  });

  test('and requests messages missing after the shown ones, also after a held one', async () => {
    chat.write('안녕');
    await sent(0);
    transport.deliver(own(3, '안녕'));
    transport.change('disconnected');
    transport.change('connected');
    expect(lastId()).toBe(idOf(3));
  });
});
