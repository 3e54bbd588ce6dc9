import { expect, test } from 'vitest';
import { cropSquare, dragged, wholeCrop } from './crop.ts';

const wide = { width: 400, height: 300 };

test('the largest square is centred in the picture', () => {
  expect(cropSquare(wide, wholeCrop)).toMatchObject({ side: 300, left: 50, top: 0 });
  expect(cropSquare(wide, { ...wholeCrop, zoom: 2 })).toMatchObject({
    side: 150,
    left: 125,
    top: 75,
  });
});

test('the square follows the pointer, and stays in the picture', () => {
  const left = dragged(wide, wholeCrop, 0.1, 0);
  expect(cropSquare(wide, left).left).toBeCloseTo(20);
  const far = dragged(wide, wholeCrop, 9, 9);
  expect(cropSquare(wide, far)).toMatchObject({ left: 0, top: 0 });
  const other = dragged(wide, { ...wholeCrop, zoom: 2 }, -9, -9);
  expect(cropSquare(wide, other)).toMatchObject({ left: 250, top: 150 });
});
