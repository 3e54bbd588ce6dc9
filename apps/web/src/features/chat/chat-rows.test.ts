import { type ChatMessage, UserId, WITHHELD_SENDER_ID } from '@mogakgong/contract';
import { describe, expect, test } from 'vitest';
import { ME, message, messages, OTHER, ROOM } from '../../../testing/chat-messages.ts';
import { logMessagesOf, unreadMessages } from './chat-log.ts';
import { type ChatRow, chatRows, chatTimes } from './chat-rows.ts';

const THIRD = UserId.parse(3);
const defaults = {
  outgoing: [],
  self: { userId: ME, roomId: ROOM },
  blockedIds: new Set<UserId>(),
  gapBeforeId: null,
  newAfter: null,
  times: chatTimes('ko', 'Asia/Seoul'),
};

type Input = Omit<Parameters<typeof chatRows>[0], 'messages'>;

function rowsOf(input: Partial<Input> & { readonly messages?: readonly ChatMessage[] }): ChatRow[] {
  const messages = logMessagesOf(input.messages ?? []);
  return chatRows({ ...defaults, ...input, messages }).flatMap(({ rows }) => [...rows]);
}

const kinds = (rows: readonly ChatRow[]) => rows.map(({ kind }) => kind);
const continuous = (rows: readonly ChatRow[]) =>
  rows.flatMap((row) => (row.kind === 'message' ? [row.isContinuous] : []));

describe('a run (isContinuous)', () => {
  test.each([
    ['the same sender within a minute', [0, 59], OTHER, [false, true]],
    ['not after a minute', [0, 60], OTHER, [false, false]],
    ['not of another sender', [0, 1], THIRD, [false, false]],
  ] as const)('is %s', (_, [first, second], senderId, expected) => {
    const log = [
      message({ number: 1, seconds: first }),
      message({ number: 2, seconds: second, senderId }),
    ];
    expect(continuous(rowsOf({ messages: log }))).toEqual(expected);
  });

  test('shows its time once, at its end', () => {
    const rows = rowsOf({ messages: messages(1, 3) });
    const ends = rows.flatMap((row) => (row.kind === 'message' ? [row.isLastOfRun] : []));
    expect(ends).toEqual([false, false, true]);
  });

  test('continues in the outbox', () => {
    const entry = {
      clientId: 'c',
      roomId: ROOM,
      epoch: 1,
      content: 'next',
      writtenAtMs: Date.UTC(2026, 10, 21, 12, 0, 5),
      triedAfter: 1,
      messageId: null,
      problem: null,
      state: 'sending',
    } as const;
    const rows = rowsOf({ messages: [message({ number: 1, senderId: ME })], outgoing: [entry] });
    expect(continuous(rows)).toEqual([false, true]);
    expect(rows.at(-1)).toMatchObject({
      key: 'c',
      outgoing: entry,
      isMyMessage: true,
    });
  });
});

describe('between messages are', () => {
  test('days', () => {
    const log = [message({ number: 1 }), message({ number: 2, seconds: 36 * 3_600 })];
    expect(kinds(rowsOf({ messages: log }))).toEqual(['day', 'message', 'day', 'message']);
  });

  test.each([
    ['Asia/Seoul', '2026-11-21T14:59:59.999Z', '2026-11-21T15:00:00.000Z'],
    ['America/New_York', '2026-11-21T04:59:59.999Z', '2026-11-21T05:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-21T18:14:59.999Z', '2026-11-21T18:15:00.000Z'],
  ])('days of the learner’s own zone: %s', (timeZone, before, after) => {
    const times = chatTimes('en', timeZone);
    const log = [before, after].map((timestamp, index) => ({
      ...message({ number: index + 1 }),
      timestamp,
    }));
    const rows = rowsOf({ messages: log, times });
    expect(kinds(rows)).toEqual(['day', 'message', 'day', 'message']);
    expect(
      [before, after].map((moment) => times.time(Date.parse(moment)).replace(/\s/u, ' ')),
    ).toEqual(['11:59 PM', '12:00 AM']);
  });

  test('the start of new messages, before the first one of another learner', () => {
    const log = [...messages(1, 2), message({ number: 3, senderId: ME }), message({ number: 4 })];
    const rows = rowsOf({ messages: log, newAfter: 2 });
    expect(kinds(rows)).toEqual(['day', 'message', 'message', 'message', 'new', 'message']);
  });

  test('no start of new messages above the first one of all', () => {
    expect(kinds(rowsOf({ messages: messages(1, 2), newAfter: 0 }))).toEqual([
      'day',
      'message',
      'message',
    ]);
  });

  test('a place where messages may be missing', () => {
    const log = messages(8, 9);
    expect(kinds(rowsOf({ messages: log, gapBeforeId: log[0]?.id ?? '' }))[0]).toBe('gap');
  });
});

describe('a blocked learner’s messages', () => {
  const blockedIds = new Set<UserId>([OTHER, THIRD]);

  test('are one placeholder for consecutive ones, also of several blocked learners (specification §4)', () => {
    const log = [
      message({ number: 1 }),
      message({ number: 2 }),
      message({ number: 3, senderId: THIRD }),
      message({ number: 4, senderId: ME }),
      message({ number: 5 }),
    ];
    expect(kinds(rowsOf({ messages: log, blockedIds }))).toEqual([
      'day',
      'blocked',
      'message',
      'blocked',
    ]);
  });

  test('reveal nothing of the text', () => {
    const rows = rowsOf({ messages: [message({ number: 1, content: 'secret' })], blockedIds });
    expect(JSON.stringify(rows)).not.toContain('secret');
  });

  test('withheld by the server are a placeholder for the blocking learner, and nothing for the blocked one', () => {
    const withheld = { content: '', nickname: '', isWithheld: true } as const;
    const log = [
      { ...message({ number: 1 }), ...withheld },
      message({ number: 2, senderId: ME }),
      { ...message({ number: 3 }), ...withheld, senderId: WITHHELD_SENDER_ID },
      message({ number: 4, senderId: ME }),
    ];
    // A block that was lifted a moment ago: the text is about to arrive.
    const rows = rowsOf({ messages: log, blockedIds: new Set() });
    expect(kinds(rows)).toEqual(['day', 'blocked', 'message', 'message']);
    expect(unreadMessages(logMessagesOf(log), 0, ME, new Set())).toEqual([]);
  });

  test('are not unread, nor are own ones', () => {
    const log = logMessagesOf([message({ number: 1 }), message({ number: 2, senderId: ME })]);
    expect(unreadMessages(log, 0, ME, blockedIds)).toEqual([]);
    expect(unreadMessages(log, 0, ME, new Set())).toEqual([log[0]]);
    expect(unreadMessages(log, 1, ME, new Set())).toEqual([]);
  });
});

test('a message has its sender’s present name and picture while they are here, else its own', () => {
  const log = [message({ number: 1 }), message({ number: 2, senderId: THIRD })];
  const rows = rowsOf({
    messages: log,
    present: {
      names: new Map([[OTHER, '새이름']]),
      pictures: new Map([[OTHER, '/files/images/new.webp']]),
    },
  });
  const shown = rows.filter((row) => row.kind === 'message');
  expect(shown.map(({ nickname, profileImage }) => [nickname, profileImage])).toEqual([
    ['새이름', '/files/images/new.webp'],
    [shown[1]?.nickname, 'default.jpg'],
  ]);
  expect(shown[1]?.nickname).not.toBe('새이름');
});

test('chunks keep their keys when older messages come before them', () => {
  const keys = (from: number) =>
    chatRows({ ...defaults, messages: logMessagesOf(messages(from, 100)) }).map(({ key }) => key);
  expect(keys(1).slice(-keys(60).length)).toEqual(keys(60));
});
