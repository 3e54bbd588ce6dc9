import { TransformStream } from 'node:stream/web';
import { BroadcastChannel } from 'node:worker_threads';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { chooseLanguage } from './shared/i18n/texts.ts';

// Every test starts in Korean, the product's first language, with an empty page and nothing replaced.
beforeEach(() => chooseLanguage('ko'));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  cleanup();
});

// One second, the default, is too short on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

// happy-dom has no fonts: they are always ready.
Object.defineProperty(document, 'fonts', { value: { ready: Promise.resolve() } });

// happy-dom has no working version of either.
Object.assign(globalThis, { BroadcastChannel, TransformStream });
