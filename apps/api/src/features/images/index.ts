export type { ImagesService } from './images.service.ts';
export { createImages } from './images.ts';
