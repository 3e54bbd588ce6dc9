import { expect, it } from 'vitest';
import { createLogger } from './index.ts';

it('hides a signed token that another server quotes in an error', () => {
  const lines: string[] = [];
  const logger = createLogger('error', { write: (line) => void lines.push(line) });
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJ2aWRlbyI6eyJyb29tTGlzdCI6dHJ1ZX19.c2lnbmF0dXJl';
  logger.error({ err: new Error(`invalid token: ${token}, not valid yet`) }, 'a job failed');
  expect(lines.join('')).toContain('invalid token: ***, not valid yet');
  expect(lines.join('')).not.toContain('eyJ');
});
