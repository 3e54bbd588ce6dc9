import { type RoomId, reportPicture } from '@mogakgong/contract';
import { watchForBlack } from '../../features/media/black-picture.ts';
import { camera } from '../../features/media/camera.ts';
import { call } from '../../shared/api/index.ts';

/** In a room that requires the camera, reports when the own picture is black. Returns a cleanup function. */
export function reportOwnPicture(roomId: RoomId): () => void {
  return watchForBlack(camera, (isBlack) =>
    call(reportPicture, { params: { roomId }, body: { isBlack } }).then(
      () => true,
      () => false,
    ),
  );
}
