export { BlockedPairs } from './blocked-pairs.ts';
export { hasBlocks, isBlockedPair, isBlocking, type LearnerBlocks } from './blocks.repository.ts';
export type { BlocksService } from './blocks.service.ts';
export { createBlocks } from './blocks.ts';
