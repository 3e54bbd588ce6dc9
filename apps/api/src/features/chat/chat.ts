import type { Database } from '../../platform/database/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import { FILL_HOLES_EVERY_MS } from '../realtime/index.ts';
import { createChatRepository } from './chat.repository.ts';
import { serveChat } from './chat.routes.ts';
import { type ChatParts, ChatService } from './chat.service.ts';

const FORGET_MESSAGES_EVERY_MS = 60 * 60_000;

interface ChatFeatureParts extends Omit<ChatParts, 'repository'> {
  readonly database: Database;
  readonly http: HttpServer;
  readonly jobs: Jobs;
}

/** The chat of every room, with its repeated repairs. */
export function createChat(parts: ChatFeatureParts): ChatService {
  const { database, http, jobs } = parts;
  const chat = new ChatService({ ...parts, repository: createChatRepository(database) });
  serveChat(http, chat);
  jobs.add({
    name: 'holes in chats',
    everyMs: FILL_HOLES_EVERY_MS,
    runs: 'process',
    run: () => chat.fillHoles(),
  });
  jobs.add({
    name: 'old messages',
    everyMs: FORGET_MESSAGES_EVERY_MS,
    runs: 'site',
    run: () => chat.deleteOld(),
  });
  return chat;
}
