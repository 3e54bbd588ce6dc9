import type { Database } from '../../platform/database/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import { FILL_HOLES_EVERY_MS } from '../realtime/index.ts';
import { createBoardRepository } from './board.repository.ts';
import { serveBoard } from './board.routes.ts';
import { type BoardParts, BoardService } from './board.service.ts';

const FORGET_BOARDS_EVERY_MS = 60_000;

interface BoardFeatureParts extends Omit<BoardParts, 'repository'> {
  readonly database: Database;
  readonly http: HttpServer;
  readonly jobs: Jobs;
}

/** The board of every room. */
export function createBoard(parts: BoardFeatureParts): BoardService {
  const { database, http, jobs } = parts;
  const board = new BoardService({ ...parts, repository: createBoardRepository(database) });
  serveBoard(http, board);
  jobs.add({
    name: 'holes in boards',
    everyMs: FILL_HOLES_EVERY_MS,
    runs: 'process',
    run: () => board.fillHoles(),
  });
  jobs.add({
    name: 'old boards',
    everyMs: FORGET_BOARDS_EVERY_MS,
    runs: 'site',
    run: () => board.deleteOld(),
  });
  return board;
}
