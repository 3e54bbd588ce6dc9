import { chatMessageId, markChatRead } from '@mogakgong/contract';
import { useEffect } from 'react';
import { call } from '../../shared/api/index.ts';
import type { ChatRoom } from './chat-room.ts';

/** Least time between two marks, in ms: a busy chat is read message by message. */
const APART_MS = 5_000;

/** Tells the learner's other tabs and devices up to which message they have read, while the chat is shown. */
export function useToldReads({ store, roomId }: ChatRoom, isMock = false): void {
  useEffect(() => {
    if (isMock) return;
    let told = store.getState().readNumber;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      const { epoch, readNumber } = store.getState();
      waiting = undefined;
      if (epoch === null || readNumber <= told) return;
      told = readNumber;
      waiting = setTimeout(tell, APART_MS);
      const messageId = chatMessageId({ roomId, epoch, number: readNumber });
      // The next mark makes up for it.
      call(markChatRead, { body: { messageId } }).catch(() => undefined);
    };
    const stop = store.subscribe(({ readNumber }, before) => {
      if (readNumber < before.readNumber) told = 0;
      if (readNumber !== before.readNumber && waiting === undefined) tell();
    });
    return () => {
      stop();
      clearTimeout(waiting);
      waiting = undefined;
      tell();
      clearTimeout(waiting);
    };
  }, [store, roomId, isMock]);
}
