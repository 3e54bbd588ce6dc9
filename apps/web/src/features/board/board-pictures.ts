import type { BinaryFileData, DataURL } from '@excalidraw/excalidraw/types';
import { addBoardImage, getBoardImage, type RoomId } from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { dataUrlOf } from './data-url.ts';
import { scaledDown } from './excalidraw/replacements/picture-scaler.ts';

/** As large as Excalidraw shows a picture at most. */
const LONGER_SIDE_MAX_PX = 1_440;

/** One after the other: the server takes two uploads of a learner at once, in all tabs together. */
let lastUpload: Promise<unknown> = Promise.resolve();

/**
 * Stores a picture for the board, smaller if need be; the id by which an element names it. Throws
 * `ApiError`, with a text for the learner.
 */
export function addPicture(roomId: RoomId, file: File): Promise<string> {
  const upload = lastUpload.then(() => store(roomId, file));
  // The caller shows the failure; the next upload does not depend on it.
  lastUpload = upload.catch(() => undefined);
  return upload;
}

async function store(roomId: RoomId, file: File): Promise<string> {
  // The server refuses a file that the browser cannot read, and says why.
  const picture = await scaledDown(file, LONGER_SIDE_MAX_PX).catch(() => file);
  const image = new File([picture], 'picture', { type: picture.type });
  const { imageId } = await call(addBoardImage, { params: { roomId }, body: { image } });
  return imageId;
}

/** A picture of the board, as Excalidraw takes it. Throws `ApiError`. */
export async function fetchPicture(roomId: RoomId, imageId: string): Promise<BinaryFileData> {
  const file = await call(
    getBoardImage,
    { params: { roomId, imageId } },
    { readReply: async (response) => new File([await response.blob()], 'picture') },
  );
  return {
    id: imageId as BinaryFileData['id'],
    mimeType: 'image/webp',
    dataURL: (await dataUrlOf(new Blob([file], { type: 'image/webp' }))) as DataURL,
    created: Date.now(),
  };
}
