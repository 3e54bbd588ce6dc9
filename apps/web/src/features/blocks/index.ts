export {
  blockedIdsOf,
  loadBlocks,
  onBlocksChanged,
  setBlockedIds,
  useBlockedIds,
} from './blocks.ts';
export { NameMenu } from './name-menu.tsx';
