import type { BoardElement } from '@mogakgong/contract';
import { expect, test } from 'vitest';
import { textsInReadingOrder } from './reading-order.ts';

const element = (id: string, fields: object): BoardElement => ({
  id,
  type: 'text',
  version: 1,
  versionNonce: 0,
  isDeleted: false,
  x: 0,
  y: 0,
  height: 20,
  text: id,
  ...fields,
});

test('texts are read row by row, each row from the left', () => {
  const elements = [
    element('below', { y: 300 }),
    element('right', { x: 200, y: 96 }),
    element('left', { x: 10, y: 104 }),
    element('top', { x: 500, y: 0 }),
  ];
  expect(textsInReadingOrder(elements).map(({ text }) => text)).toEqual([
    'top',
    'left',
    'right',
    'below',
  ]);
});

test('shapes and blank texts are left out, a frame is read by its name', () => {
  const elements = [
    element('shape', { type: 'rectangle', text: undefined }),
    element('blank', { text: ' \n' }),
    element('inside', { y: 40, customData: { authorId: 7 } }),
    element('frame', { type: 'frame', name: '할 일', text: undefined, y: 30, height: 400 }),
  ];
  expect(textsInReadingOrder(elements)).toMatchObject([
    { text: '할 일' },
    { text: 'inside', authorId: 7 },
  ]);
});
