import { getChatHistory } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { ChatService } from './chat.service.ts';

export function serveChat(http: HttpServer, chat: ChatService): void {
  http.serve(getChatHistory, async ({ caller, query }) =>
    chat.findBefore(caller.userId, query.before),
  );
}
