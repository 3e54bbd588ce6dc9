import { DEFAULT_PROFILE_IMAGE } from '@mogakgong/contract';
import { fireEvent, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Avatar, profileImageAddress } from './avatar.tsx';

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

/** The rendered result: the address of a picture, or a letter and its colour. */
function drawn(name: string, image?: string) {
  const { container, unmount } = render(<Avatar name={name} image={image} />);
  const letter = container.querySelector('text');
  const answer =
    container.querySelector('img')?.getAttribute('src') ??
    `${letter?.textContent} ${letter?.getAttribute('style')}`;
  unmount();
  return answer;
}

test('a learner without a picture has the first letter of their name, in a stable colour', () => {
  expect(drawn('지우', DEFAULT_PROFILE_IMAGE)).toMatch(/^지 fill: var\(--person-\d\);$/u);
  expect(drawn('지우', DEFAULT_PROFILE_IMAGE)).toBe(drawn('지우', ''));
  expect(drawn('kim')).toMatch(/^K /u);
  expect(drawn('김가').at(-3)).not.toBe(drawn('김각').at(-3));
  expect(drawn('지우', '/1.webp')).toBe(`${window.location.origin}/1.webp`);
});

test('a learner without a name has the default picture', () => {
  expect(drawn(' ', DEFAULT_PROFILE_IMAGE)).toBe(defaultPicture);
});

test('a picture that fails to load is replaced by the letter', () => {
  const { container } = render(<Avatar name="지우" image="/gone.webp" />);
  fireEvent.error(container.querySelector('img') as HTMLImageElement);
  expect(container.textContent).toBe('지');
});
