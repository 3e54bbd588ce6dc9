export type { ChatService } from './chat.service.ts';
export { createChat } from './chat.ts';
