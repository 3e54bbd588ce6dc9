import { expect, test } from 'vitest';
import { uploadedImageAddress, uploadImage } from './images.ts';

const address = '/files/images/a.webp';

test.each([
  { imageUrl: address },
  { profileImage: address },
  { url: address },
  address,
  { success: true, imageUrl: address, message: 'ok' },
])('the address of an upload is read from %j (specification §7)', (answer) => {
  expect(uploadedImageAddress(uploadImage.reply.parse(answer))).toBe(address);
});

test.each([{}, null, { image: address }])('%j names none', (answer) => {
  expect(uploadImage.reply.safeParse(answer).success).toBe(false);
});
