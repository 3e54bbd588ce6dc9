export { createChatRepository } from './chat.repository.ts';
export type { ChatService } from './chat.service.ts';
export { createChat } from './chat.ts';
