import { consentVersions } from '@mogakgong/contract';
import { expect, it } from 'vitest';
import { allTexts } from '../../prerender/prerendered-pages.tsx';

/**
 * SHA-256 of each text by its version. A changed text needs a new version, the day it takes effect,
 * and a line about the change in the text (docs/decisions/046-versions-of-legal-texts.md).
 */
const published: Readonly<Record<string, string>> = {
  'terms 2026-11-27': '8a7f62a449a77850a60b1ce643946619d7244ea4584029ae5397499abb466db9',
  'privacy 2026-12-05': 'ebca403e99732614dea0c04b7bb0c4a557732ba1bf09592d350d2e496391bf1d',
};

it.each(['terms', 'privacy'] as const)('the text of %s is the one of its version', async (name) => {
  const texts = JSON.stringify([allTexts.ko[name], allTexts.en[name]]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(texts));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  expect(hex.join('')).toBe(published[`${name} ${consentVersions[name]}`]);
});

it('a changed privacy policy states its date and changes', () => {
  const [year, month, day] = consentVersions.privacy.split('-').map(Number);
  const changes = allTexts.ko.privacy.sections.at(-1)?.items;
  expect(changes?.at(-1)).toContain(`${year}년 ${month}월 ${day}일`);
});
