export { gridLayout, TILE_GAP_PX } from './grid-layout.ts';
export {
  checkStudyRoom,
  enterStudyRoom,
  entryRefusal,
  fetchMediaToken,
  isNotSeated,
  leaveStudyRoom,
  type Refusal,
  roomIdFrom,
} from './room-calls.ts';
