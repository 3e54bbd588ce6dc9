export { createBoardRepository } from './board.repository.ts';
export { serveBoard } from './board.routes.ts';
export { BoardService } from './board.service.ts';
export { type BoardLife, createBoardLife } from './board-life.ts';
