export { Notices } from './notices.ts';
export { assertOwnRoom, type Entrance, RoomTopic } from './room-topic.ts';
export { SeatWatch } from './seat-watch.ts';
