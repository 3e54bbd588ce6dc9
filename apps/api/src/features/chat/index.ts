export { createChatRepository } from './chat.repository.ts';
export { serveChat } from './chat.routes.ts';
export { ChatService } from './chat.service.ts';
