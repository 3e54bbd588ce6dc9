import { Message } from '@mogakgong/stomp';

/** A MESSAGE with a JSON body. */
export function jsonMessage(
  messageId: string,
  body: unknown,
  headers: readonly (readonly [name: string, value: string])[] = [],
): Message {
  return new Message({
    messageId,
    contentType: 'application/json',
    headers,
    body: JSON.stringify(body),
  });
}
