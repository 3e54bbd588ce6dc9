import { DEFAULT_PROFILE_IMAGE } from '@mogakgong/contract';
import { expect, test } from 'vitest';
import { profileImageAddress } from './avatar.tsx';

const defaultPicture = profileImageAddress(DEFAULT_PROFILE_IMAGE);

test('a path belongs to this site, an address stays', () => {
  expect(profileImageAddress('/uploads/1.webp')).toBe(`${window.location.origin}/uploads/1.webp`);
  expect(profileImageAddress('https://example.org/1.webp')).toBe('https://example.org/1.webp');
});

test.each(['', 'http://', 'https://[', '//:80/1.webp', 'http://a b/'])(
  'of %j there is the default picture',
  (profileImage) => {
    expect(profileImageAddress(profileImage)).toBe(defaultPicture);
  },
);
