import { getBoard } from '@mogakgong/contract';
import { type HttpServer, sendJsonSlices } from '../../platform/http/index.ts';
import type { BoardService } from './board.service.ts';

export function serveBoard(http: HttpServer, board: BoardService): void {
  http.serve(getBoard, async ({ caller, params, query: { generation, since }, reply }) => {
    const isKnown = generation !== undefined && since !== undefined;
    const known = isKnown ? { generation, number: since } : null;
    return sendJsonSlices(reply, await board.read(caller.userId, params.roomId, known));
  });
}
