export { gridLayout, TILE_GAP_PX } from './grid-layout.ts';
export {
  enterStudyRoom,
  entryRefusal,
  fetchMediaToken,
  isNotSeated,
  leaveStudyRoom,
  roomIdFrom,
} from './room-calls.ts';
export { useLiveliness } from './use-liveliness.ts';
