import { getChatHistory, HOUR_MS, SECOND_MS } from '@mogakgong/contract';
import type { Notices } from '../realtime/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createChatRepository } from './chat.repository.ts';
import { ChatService, type ChatUses } from './chat.service.ts';
import { createReactionsRepository } from './reactions.repository.ts';
import { ReactionsService } from './reactions.service.ts';
import { createReadMarks } from './read-marks.ts';

const FORGET_EVERY_MS = 30 * SECOND_MS;

/** The chat of every room with its reactions, read marks and repeated repairs. */
export function createChat(
  context: AppContext,
  { notices, ...uses }: ChatUses & { readonly notices: Notices },
): Pick<ChatService, 'hideSender' | 'close'> {
  const { database, http, jobs } = context;
  const findReadNumber = createReadMarks(context, { notices });
  const chat = new ChatService({
    ...context,
    ...uses,
    findReadNumber,
    repository: createChatRepository(database),
  });
  const reactions = new ReactionsService({
    ...context,
    ...uses,
    chat,
    repository: createReactionsRepository(database),
  });
  http.serve(getChatHistory, async ({ caller, query }) =>
    chat.findBefore(caller.userId, query.before),
  );
  const deleteOld = () => chat.deleteOld();
  const forget = () => chat.forgetDeleted();
  jobs.add(
    { name: 'old messages', everyMs: HOUR_MS, runs: 'site', run: deleteOld },
    { name: 'deleted messages', everyMs: FORGET_EVERY_MS, runs: 'process', run: forget },
  );
  return {
    hideSender: (userId) => chat.hideSender(userId),
    close() {
      chat.close();
      reactions.close();
    },
  };
}
