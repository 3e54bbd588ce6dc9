import {
  changeProfileImage,
  type UserId,
  uploadedImageAddress,
  uploadImage,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { changeProfile } from '../../shared/api/profile.ts';

/** The uploaded share, 0 to 1; `choosing` once it can no longer be cancelled. */
export type Saving = number | 'choosing';

interface SaveOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (saving: Saving) => void;
}

/** Takes a cropped picture; throws the error to show. */
export type SavePicture = (picture: Blob, options: SaveOptions) => Promise<void>;

/** Texts for a failure where the server has none. */
interface Fallbacks {
  readonly upload: string;
  readonly change: string;
}

/** Uploads a picture and changes the learner's to it; throws `ApiError`. */
export async function uploadPicture(
  userId: UserId,
  picture: Blob,
  fallbacks: Fallbacks,
  { signal, onProgress }: SaveOptions = {},
): Promise<void> {
  const imageFile = new File([picture], 'picture', { type: picture.type });
  const options = { fallback: fallbacks.upload, signal, onProgress };
  const address = uploadedImageAddress(await call(uploadImage, { body: { imageFile } }, options));
  signal?.throwIfAborted();
  onProgress?.('choosing');
  await changePicture(userId, address, fallbacks.change);
}

/** Changes the learner's picture, here and for everybody else; throws `ApiError`. */
export async function changePicture(
  userId: UserId,
  newProfileImage: string,
  fallback: string,
): Promise<void> {
  const body = { newProfileImage };
  const answer = await call(changeProfileImage, { body }, { fallback });
  changeProfile(userId, { profileImage: answer.profileImage ?? newProfileImage });
}
