export type { ImagesService } from './images.service.ts';
export { createImages } from './images.ts';
export type { PictureSize } from './re-encode.ts';
