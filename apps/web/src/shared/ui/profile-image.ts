import { DEFAULT_PROFILE_IMAGE } from '@mogakgong/contract';
import defaultPicture from './default-profile.svg';

/**
 * The address of a profile picture: the default is a bundled picture, relative paths belong to the
 * API host, which is this site (specification §7, §9). What is no address gets the default too.
 */
export function profileImageAddress(profileImage: string): string {
  if (profileImage === '' || profileImage === DEFAULT_PROFILE_IMAGE) return defaultPicture;
  const { origin } = window.location;
  return URL.canParse(profileImage, origin) ? new URL(profileImage, origin).href : defaultPicture;
}
