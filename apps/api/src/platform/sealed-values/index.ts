export { createTokenKeys, deriveKey } from './derived-keys.ts';
export { createSealedCookies, type SealedCookies } from './sealed-cookies.ts';
export { createSealedValues } from './sealed-values.ts';
export { createSecretBox, type SecretBox } from './secret-box.ts';
export { runSecretsCommand, SECRETS_USAGE } from './secrets-command.ts';
export { ensureSiteKeys, readSiteKeys, renewSiteKeys, type SiteKeysParts } from './site-keys.ts';
