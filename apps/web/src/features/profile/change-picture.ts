import {
  changeProfileImage,
  type UserId,
  uploadedImageAddress,
  uploadImage,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { changeProfile } from '../../shared/api/profile.ts';

interface UploadOptions {
  readonly fallback: string;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
}

/** Uploads a picture; its address. Throws `ApiError`. */
export async function uploadPicture(picture: Blob, options: UploadOptions): Promise<string> {
  const imageFile = new File([picture], 'picture', { type: picture.type });
  return uploadedImageAddress(await call(uploadImage, { body: { imageFile } }, options));
}

/** Changes the learner's picture, here and for everybody who sees them; throws `ApiError`. */
export async function changePicture(
  userId: UserId,
  newProfileImage: string,
  fallback: string,
): Promise<void> {
  const body = { newProfileImage };
  const { profileImage } = await call(changeProfileImage, { body }, { fallback });
  changeProfile(userId, { profileImage });
}
