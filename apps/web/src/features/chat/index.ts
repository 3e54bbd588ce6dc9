export { ChatDock } from './chat-dock.tsx';
export { ChatPanel } from './chat-panel.tsx';
export type { ChatView, Sender } from './chat-view.ts';
export { UnsentHere, useUnsentWarning } from './unsent-here.tsx';
export { createMemoryStore, endUnknownGathering } from './unsent-store.ts';
export { useChatRoom } from './use-chat-room.ts';
