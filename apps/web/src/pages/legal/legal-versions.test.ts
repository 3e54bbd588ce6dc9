import { consentVersions } from '@mogakgong/contract';
import { expect, it } from 'vitest';
import { allTexts } from '../../prerender/prerendered-pages.tsx';

/**
 * SHA-256 of each text by its version. A changed text needs a new version, the day it takes effect,
 * and a line about the change in the text (docs/decisions/046-versions-of-legal-texts.md).
 */
const published: Readonly<Record<string, string>> = {
  'terms 2026-11-21': 'ef389c166fc7987fb2828a9ef708980fe6a29a9e1cbe1335f40d4cff4de9a64d',
  'privacy 2026-11-23': 'f793f71f507050b372effd3919b32a4c47f25c6490245c95f011296595c33be4',
};

it.each(['terms', 'privacy'] as const)('the text of %s is the one of its version', async (name) => {
  const texts = JSON.stringify([allTexts.ko[name], allTexts.en[name]]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(texts));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  expect(hex.join('')).toBe(published[`${name} ${consentVersions[name]}`]);
});

it('a changed privacy policy says since when and what changed', () => {
  const [year, month, day] = consentVersions.privacy.split('-').map(Number);
  const changes = allTexts.ko.privacy.sections.at(-1)?.items;
  expect(changes?.at(-1)).toContain(`${year}년 ${month}월 ${day}일`);
});
