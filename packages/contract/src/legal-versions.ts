/**
 * The terms that a new learner agrees to. The version is the day the text takes effect, stored with every
 * consent: a changed text gets a new one (docs/decisions/046-versions-of-legal-texts.md).
 */
export const consentVersions = {
  age: '2026-11-21',
  terms: '2026-12-06',
  privacy: '2026-12-08',
} as const;

/**
 * SHA-256 of each text by its version, which `legal-versions.test.ts` compares and, after a change, prints.
 * The privacy policy also lists its changes, in section 9.
 */
export const legalTextHashes: Readonly<Record<string, string>> = {
  'terms 2026-12-06': '55eed4d10a2a1a4b6b005afd5de9b596a618ef236c50e37eabac194d9d37ee45',
  'privacy 2026-12-08': '75696dba6542c6ef850ee5e06e91b43b3f47af6a17f3bcc87f061f048f9c22ab',
};

/** The oldest version of each text with a valid consent. Consent to an older one is asked for again. */
export const consentsValidSince: Readonly<Record<ConsentName, string>> = {
  age: '2026-11-21',
  terms: '2026-11-21',
  privacy: '2026-11-27',
};

export type ConsentName = keyof typeof consentVersions;
export const consentNames = Object.keys(consentVersions) as readonly ConsentName[];
