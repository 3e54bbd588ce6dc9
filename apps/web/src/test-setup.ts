import { TransformStream } from 'node:stream/web';
import { BroadcastChannel } from 'node:worker_threads';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';
import { chooseLanguage } from './shared/i18n/texts.ts';

// Every test starts in Korean, the product's first language, with an empty page.
beforeEach(() => chooseLanguage('ko'));
afterEach(cleanup);

// One second, the default, is too short on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

// happy-dom has no fonts: they are always ready.
Object.defineProperty(document, 'fonts', { value: { ready: Promise.resolve() } });

// happy-dom has no working version of either.
Object.assign(globalThis, { BroadcastChannel, TransformStream });
