import { consentVersions } from '@mogakgong/contract';
import { expect, it } from 'vitest';
import { allTexts } from '../../prerender/prerendered-pages.tsx';

/**
 * SHA-256 of each text by its version. A changed text needs a new version, the day it takes effect,
 * and a line about the change in the text (docs/decisions/046-versions-of-legal-texts.md).
 */
const published: Readonly<Record<string, string>> = {
  'terms 2026-12-06': '55eed4d10a2a1a4b6b005afd5de9b596a618ef236c50e37eabac194d9d37ee45',
  'privacy 2026-12-07': '559df363b8887ea841218992b7783fad6c92765cf805ad6a7fdcbf6adfb8ea2f',
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
