import { expect, it } from 'vitest';
import { encodeFrame } from './encode-frame.ts';

it('[FR4] [FR5] escapes by version', () => {
  const headers: [string, string][] = [['a:b', '1\\2\n3:4']];
  expect(String(encodeFrame('SEND', headers, undefined, '1.2'))).toBe(
    'SEND\na\\cb:1\\\\2\\n3\\c4\n\n\0',
  );
  expect(String(encodeFrame('SEND', [['k', '\r']], undefined, '1.2'))).toBe('SEND\nk:\\r\n\n\0');
  expect(String(encodeFrame('SEND', [['k', '\\:']], undefined, '1.0'))).toBe('SEND\nk:\\:\n\n\0');
});

it('[FR6] writes CONNECT and CONNECTED without escapes', () => {
  expect(String(encodeFrame('CONNECT', [['k', 'a:b\\c']], undefined, '1.2'))).toBe(
    'CONNECT\nk:a:b\\c\n\n\0',
  );
});

it('[FR8] puts a space for what the version cannot carry', () => {
  const smuggled: [string, string][] = [['na:me\n', 'x\nadmin:true\r\n\n\0SEND']];
  expect(String(encodeFrame('CONNECTED', smuggled, undefined, '1.2'))).toBe(
    'CONNECTED\nna me :x admin:true    SEND\n\n\0',
  );
  expect(String(encodeFrame('SEND', smuggled, undefined, '1.0'))).toBe(
    'SEND\nna me :x admin:true    SEND\n\n\0',
  );
  expect(String(encodeFrame('SEND', [['k', 'a\rb\0c']], undefined, '1.1'))).toBe(
    'SEND\nk:a b c\n\n\0',
  );
});

it('[FR11] counts bytes, not characters, in content-length', () => {
  expect(String(encodeFrame('SEND', [], Buffer.from('모각공'), '1.2'))).toBe(
    'SEND\ncontent-length:9\n\n모각공\0',
  );
  expect(String(encodeFrame('SEND', [], undefined, '1.2'))).toBe('SEND\n\n\0');
});
