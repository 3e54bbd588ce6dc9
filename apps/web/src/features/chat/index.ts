export { ChatDock } from './chat-dock.tsx';
export { ChatRoom } from './chat-room.ts';
export type { ChatView, Sender } from './chat-view.ts';
export { UnsentHere, useUnsentWarning } from './unsent-list.tsx';
export { UnsentStore } from './unsent-store.ts';
