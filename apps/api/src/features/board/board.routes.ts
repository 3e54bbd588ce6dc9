import { getBoard } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { BoardService } from './board.service.ts';

export function serveBoard(http: HttpServer, board: BoardService): void {
  http.serve(getBoard, async ({ caller, params, query: { generation, since } }) =>
    board.read(
      caller.userId,
      params.roomId,
      generation === undefined || since === undefined ? null : { generation, number: since },
    ),
  );
}
