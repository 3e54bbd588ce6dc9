import {
  CHAT_LIST_MAX,
  type ChatMessage,
  type ChatPosition,
  parseChatMessageId,
} from '@mogakgong/contract';

/** Where a message stands in its room's order; null for an id that is none. */
export function positionOf(message: ChatMessage | undefined): ChatPosition | null {
  return message === undefined ? null : parseChatMessageId(message.id);
}

/** A message's number within its gathering; 0 for an id that is none. */
export function numberOf(message: ChatMessage | undefined): number {
  return positionOf(message)?.number ?? 0;
}

/**
 * Both lists as one: each message once, in the order of numbers, the newest `CHAT_LIST_MAX` of them.
 */
export function mergeMessages(
  known: readonly ChatMessage[],
  incoming: readonly ChatMessage[],
): readonly ChatMessage[] {
  const byId = new Map([...known, ...incoming].map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => numberOf(a) - numberOf(b)).slice(-CHAT_LIST_MAX);
}
