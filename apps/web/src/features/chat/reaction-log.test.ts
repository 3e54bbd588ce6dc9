import { chatMessageId, type Reaction, type ReactionChange, UserId } from '@mogakgong/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ME, messages, OTHER, ROOM } from '../../../testing/chat-messages.ts';
import { FakeTransport } from '../../../testing/fake-transport.ts';
import { SendError } from '../../shared/realtime/send-error.ts';
import { notify } from '../../shared/ui/notify.ts';
import { ChatRoom } from './chat-room.ts';
import { type ReactionLog, reactionsOf } from './reaction-log.ts';

let transport: FakeTransport;
let chat: ChatRoom;
let log: ReactionLog;

const idOf = (number: number) => chatMessageId({ roomId: ROOM, epoch: 1, number });
const change = (number: number, reaction: Reaction | null, userId = OTHER): ReactionChange => ({
  ...{ message: 1, userId, reaction, number },
});
const deliver = (kind: 'fresh' | 'more' | 'live', ...changes: ReactionChange[]) =>
  transport.deliver({
    ...{ roomId: ROOM, epoch: 1, kind, changes, number: changes.at(-1)?.number ?? 0 },
  });
const shown = () =>
  Object.fromEntries(
    (log.store.getState().byMessage.get(1) ?? []).map(({ userId, reaction }) => [userId, reaction]),
  );

beforeEach(() => {
  vi.useFakeTimers();
  transport = new FakeTransport();
  const fetchOlder = async () => ({
    ...{ messages: [], hasOlder: false, reactions: [change(2, 'fire')] },
  });
  chat = new ChatRoom({ roomId: ROOM, userId: ME, transport, fetchOlder });
  transport.deliver(
    { kind: 'recovery', recovered: false, hasOlder: true, messages: messages(1, 3) },
    { kind: 'recovery' },
  );
  log = reactionsOf(chat);
  return () => chat.close();
});

describe('reactions that arrive', () => {
  test('in any order and twice leave the latest of each person', async () => {
    deliver('fresh', change(1, 'clap'));
    deliver('live', change(4, null));
    deliver('live', change(3, 'like', UserId.parse(3)));
    deliver('more', change(1, 'clap'), change(4, null));
    await chat.loadOlder();
    expect(shown()).toEqual({ [OTHER]: null, 3: 'like' });
  });

  test('are asked for from the last change up to which all are known', () => {
    expect(transport.subscribed.at(-1)).toEqual({ 'first-message': idOf(1), 'last-number': '0' });
    deliver('fresh', change(5, 'clap'));
    transport.change('disconnected');
    deliver('live', change(9, 'fire'));
    transport.change('connected');
    expect(transport.subscribed.at(-1)).toEqual({ 'first-message': idOf(1), 'last-number': '5' });
    deliver('more', change(9, 'fire'));
    transport.change('disconnected');
    transport.change('connected');
    expect(transport.subscribed.at(-1)).toMatchObject({ 'last-number': '9' });
  });

  test('of another gathering replace all, of another room nothing', () => {
    deliver('fresh', change(5, 'clap'));
    const frame = { kind: 'fresh', changes: [change(1, 'fire')], number: 1 };
    transport.deliver({ ...frame, roomId: 99, epoch: 1 });
    expect(shown()).toEqual({ [OTHER]: 'clap' });
    transport.deliver({ ...frame, roomId: ROOM, epoch: 2 });
    expect(shown()).toEqual({ [OTHER]: 'fire' });
  });
});

describe('an own press', () => {
  const pressed = () => [...log.store.getState().pressed.values()];

  test('is shown at once, and kept until the server has it, over a lost connection', async () => {
    deliver('fresh');
    transport.change('disconnected');
    log.press(idOf(1), 'clap');
    expect(pressed()).toEqual(['clap']);
    transport.change('connected');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(transport.sent.at(-1)?.body).toEqual({
      ...{ roomId: ROOM, messageId: idOf(1), reaction: 'clap' },
    });
    transport.sent.at(-1)?.confirm();
    await vi.advanceTimersByTimeAsync(0);
    expect(pressed()).toEqual([]);
  });

  test('pressed again meanwhile is sent as it is now', async () => {
    log.press(idOf(1), 'clap');
    log.press(idOf(1), null);
    transport.sent.at(-1)?.confirm();
    await vi.advanceTimersByTimeAsync(0);
    expect(transport.sent.map(({ body }) => body)).toMatchObject([
      { reaction: 'clap' },
      { reaction: null },
    ]);
    transport.sent.at(-1)?.confirm();
    await vi.advanceTimersByTimeAsync(0);
    expect(pressed()).toEqual([]);
  });

  test('that is refused goes, and says why', async () => {
    const toast = vi.spyOn(notify, 'toast');
    log.press(idOf(1), 'clap');
    transport.sent.at(-1)?.fail(new SendError('refused', 'too many'));
    await vi.advanceTimersByTimeAsync(0);
    expect(pressed()).toEqual([]);
    expect(toast).toHaveBeenCalledWith('too many', 'bad');
  });
});
