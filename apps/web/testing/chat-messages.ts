import { type ChatMessage, chatMessageId, RoomId, UserId } from '@mogakgong/contract';

export const ROOM = RoomId.parse(7);
export const ME = UserId.parse(1);
export const OTHER = UserId.parse(2);

interface MessageParts {
  readonly number: number;
  readonly senderId?: UserId;
  readonly content?: string;
  readonly epoch?: number;
  readonly roomId?: RoomId;
  /** Seconds after noon. */
  readonly seconds?: number;
}

/** A message of room 7, from the other learner by default. */
export function message(parts: MessageParts): ChatMessage {
  const { number, senderId = OTHER, epoch = 1, roomId = ROOM, seconds = number } = parts;
  return {
    senderId,
    roomId,
    content: parts.content ?? `m${number}`,
    timestamp: new Date(Date.UTC(2026, 10, 21, 12, 0, seconds)).toISOString(),
    nickname: `이름 ${senderId}`,
    profileImage: 'default.jpg',
    id: chatMessageId({ roomId, epoch, number }),
  };
}

/** Messages `from` to `to`, both included. */
export function messages(
  from: number,
  to: number,
  more: Partial<MessageParts> = {},
): ChatMessage[] {
  return Array.from({ length: to - from + 1 }, (_, index) =>
    message({ ...more, number: from + index }),
  );
}
