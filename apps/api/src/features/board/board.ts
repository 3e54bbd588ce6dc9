import { getBoard } from '@mogakgong/contract';
import { sendJsonSlices } from '../../platform/http/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createBoardRepository } from './board.repository.ts';
import { BoardService, type BoardUses } from './board.service.ts';

const FORGET_BOARDS_EVERY_MS = 60_000;

/** The board of every room. */
export function createBoard(context: AppContext, uses: BoardUses): BoardService {
  const { database, http, jobs } = context;
  const board = new BoardService({
    ...context,
    ...uses,
    repository: createBoardRepository(database),
  });

  http.serve(getBoard, async ({ caller, params, query: { generation, since }, reply }) => {
    const isKnown = generation !== undefined && since !== undefined;
    const known = isKnown ? { generation, number: since } : null;
    return sendJsonSlices(reply, await board.read(caller.userId, params.roomId, known));
  });

  const deleteOld = () => board.deleteOld();
  jobs.add({ name: 'old boards', everyMs: FORGET_BOARDS_EVERY_MS, runs: 'site', run: deleteOld });
  return board;
}
