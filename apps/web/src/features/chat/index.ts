export { ChatDock } from './chat-dock.tsx';
export { ChatPanel } from './chat-panel.tsx';
export type { ChatView, Sender } from './chat-view.ts';
export { forgetOutgoing } from './outgoing-store.ts';
export { useChatRoom } from './use-chat-room.ts';
