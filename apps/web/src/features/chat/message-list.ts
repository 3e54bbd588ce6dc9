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

/** A text with at most one blank line between two others. */
export function withoutBlankRuns(text: string): string {
  return text.replace(/\n(?:[^\S\n]*\n){2,}/gu, '\n\n');
}

/** An own message that was sent, and of which nobody knows yet whether the log has it. */
export interface Unresolved {
  readonly content: string;
  /** The log's last number before it was sent. */
  readonly afterNumber: number;
}

/**
 * The log without the messages of `userId` that may be the unresolved ones: those are drawn as on
 * their way until a receipt names their id, so that nothing is drawn twice. `confirmedIds` are known
 * to be others.
 */
export function withoutUnresolved(
  log: readonly ChatMessage[],
  userId: number,
  unresolved: readonly Unresolved[],
  confirmedIds: ReadonlySet<string>,
): readonly ChatMessage[] {
  const held = new Set<string>();
  for (const { content, afterNumber } of unresolved) {
    const text = withoutBlankRuns(content);
    const twin = log.find(
      (message) =>
        message.senderId === userId &&
        withoutBlankRuns(message.content) === text &&
        numberOf(message) > afterNumber &&
        !confirmedIds.has(message.id) &&
        !held.has(message.id),
    );
    if (twin !== undefined) held.add(twin.id);
  }
  return held.size === 0 ? log : log.filter(({ id }) => !held.has(id));
}
