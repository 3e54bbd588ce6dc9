import { expect, test } from 'vitest';
import { returnPath, withReturnPath } from './return-path.ts';

test.each([
  ['?next=/studyroom/5', '/studyroom/5'],
  ['?next=%2Fmain%3Fa%3D1', '/main?a=1'],
  ['', '/main'],
  ['?next=', '/main'],
  ['?next=https://evil.example', '/main'],
  ['?next=//evil.example', '/main'],
  ['?next=/%5Cevil.example', '/main'],
  ['?next=/%09/evil.example', '/main'],
  ['?next=/.//evil.example', '/main'],
  ['?next=javascript:alert(1)', '/main'],
  ['?next=/kakao/callback?code=c', '/main'],
  ['?next=/login?next=/login', '/main'],
])('%s leads to %s', (search, path) => {
  expect(returnPath(search)).toBe(path);
});

test('the return path is kept across the log-in pages', () => {
  const address = withReturnPath('/login', '/studyroom/5');
  expect(returnPath(new URL(address, 'http://x').search)).toBe('/studyroom/5');
  expect(withReturnPath('/login', '/main')).toBe('/login');
});
