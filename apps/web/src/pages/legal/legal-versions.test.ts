import { consentVersions, legalTextHashes } from '@mogakgong/contract';
import { expect, it } from 'vitest';
import { allTexts } from '../../prerender/prerendered-pages.tsx';

it.each(['terms', 'privacy'] as const)('the text of %s is the one of its version', async (name) => {
  const texts = JSON.stringify([allTexts.ko[name], allTexts.en[name]]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(texts));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  expect(hex.join('')).toBe(legalTextHashes[`${name} ${consentVersions[name]}`]);
});

it('a changed privacy policy states its date and changes', () => {
  const [year, month, day] = consentVersions.privacy.split('-').map(Number);
  const changes = allTexts.ko.privacy.sections.at(-1)?.items;
  expect(changes?.at(-1)).toContain(`${year}년 ${month}월 ${day}일`);
});
