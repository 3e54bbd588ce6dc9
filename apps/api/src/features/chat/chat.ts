import { getChatHistory } from '@mogakgong/contract';
import { HOUR_MS } from '../../platform/jobs/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createChatRepository } from './chat.repository.ts';
import { ChatService, type ChatUses } from './chat.service.ts';

/** The chat of every room, with its repeated repairs. */
export function createChat(context: AppContext, uses: ChatUses): ChatService {
  const { database, http, jobs } = context;
  const repository = createChatRepository(database);
  const chat = new ChatService({ ...context, ...uses, repository });
  http.serve(getChatHistory, async ({ caller, query }) =>
    chat.findBefore(caller.userId, query.before),
  );
  const deleteOld = () => chat.deleteOld();
  jobs.add({ name: 'old messages', everyMs: HOUR_MS, runs: 'site', run: deleteOld });
  return chat;
}
