export { createBlocksRepository, hasBlocks, isBlockedPair } from './blocks.repository.ts';
export { serveBlocks } from './blocks.routes.ts';
export { type BlocksService, createBlocksService } from './blocks.service.ts';
