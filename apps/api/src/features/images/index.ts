export type { ImageStore } from './image-store.ts';
export { findPictureNames, notePictures } from './images.repository.ts';
export type { ImagesService } from './images.service.ts';
export { createImageStore, createImages } from './images.ts';
export type { PictureSize } from './re-encode.ts';
