export { createSealedCookies, type SealedCookies } from './sealed-cookies.ts';
export { createSealedValues } from './sealed-values.ts';
export { createSecretBox, type SecretBox } from './secret-box.ts';
