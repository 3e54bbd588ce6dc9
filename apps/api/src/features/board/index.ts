export { createBoard } from './board.ts';
export { type BoardLife, createBoardLife } from './board-life.ts';
