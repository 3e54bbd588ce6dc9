export { ChatButton, ChatDock, useChatDock } from './chat-dock.tsx';
export { ChatRoom } from './chat-room.ts';
export type { ChatView, Sender } from './chat-view.ts';
export { UnsentStore } from './unsent-store.ts';
export { useUnsentWarning } from './use-unsent-warning.ts';
