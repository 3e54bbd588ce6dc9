import { type RoomId, reportPicture } from '@mogakgong/contract';
import { watchForBlack } from '../features/media/black-picture.ts';
import { camera } from '../features/media/camera.ts';
import { call } from '../shared/api/index.ts';

/** In a room that asks for the camera: says when one's own picture is black. Returns how to stop. */
export function reportOwnPicture(roomId: RoomId): () => void {
  return watchForBlack(camera, (isBlack) =>
    call(reportPicture, { params: { roomId }, body: { isBlack } }).then(
      () => true,
      () => false,
    ),
  );
}
