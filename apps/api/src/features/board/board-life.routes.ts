import { Readable } from 'node:stream';
import {
  addBoardImage,
  copyBoard,
  deleteBoardCopy,
  getBoardCopies,
  getBoardCopy,
  getBoardCopyImage,
  getBoardImage,
  getBoardVersions,
  replaceBoard,
  voteOnBoard,
} from '@mogakgong/contract';
import { type HttpServer, jsonSlices, sendJsonSlices } from '../../platform/http/index.ts';
import type { BoardCopies } from './board-copies.ts';
import type { BoardImages } from './board-images.ts';
import type { BoardReplacement } from './board-replacement.service.ts';

export function serveBoardReplacement(http: HttpServer, replacement: BoardReplacement): void {
  http.serve(getBoardVersions, async ({ caller, params }) => ({
    versions: await replacement.listVersions(caller.userId, params.roomId),
  }));
  http.serve(replaceBoard, async ({ caller, params, body }) => ({
    vote: await replacement.replace(caller.userId, params.roomId, body.versionId),
  }));
  http.serve(voteOnBoard, async ({ caller, params, body }) => ({
    vote: await replacement.vote(caller.userId, params.roomId, body.voteId, body.agrees),
  }));
}

export function serveBoardImages(http: HttpServer, images: BoardImages): void {
  http.serve(addBoardImage, async ({ caller, params, body }) => ({
    imageId: await images.add(caller.userId, params.roomId, body.image),
  }));
  http.serve(getBoardImage, async ({ caller, params }) =>
    Readable.from([await images.get(caller.userId, params.roomId, params.imageId)]),
  );
}

export function serveBoardCopies(http: HttpServer, copies: BoardCopies): void {
  http.serve(copyBoard, ({ caller, params }) => copies.copy(caller.userId, params.roomId));
  http.serve(getBoardCopies, async ({ caller }) => ({ copies: await copies.list(caller.userId) }));
  http.serve(getBoardCopy, async ({ caller, params, reply }) => {
    const { copy, listText } = await copies.get(caller.userId, params.copyId);
    return sendJsonSlices(reply, jsonSlices({ copy }, { elements: listText }));
  });
  http.serve(getBoardCopyImage, async ({ caller, params }) =>
    Readable.from([await copies.getImage(caller.userId, params.copyId, params.imageId)]),
  );
  http.serve(deleteBoardCopy, async ({ caller, params }) => {
    await copies.delete(caller.userId, params.copyId);
    return {};
  });
}
