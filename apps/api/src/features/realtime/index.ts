export { jsonMessage } from './frames.ts';
export { Notices } from './notices.ts';
export { NumberedLog } from './numbered-log.ts';
export { RealtimeHub, type Sent, type Session, type Subscription } from './realtime-hub.ts';
export { type Entrance, type Gathering, RoomTopic } from './room-topic.ts';
export { SeatWatch } from './seat-watch.ts';
