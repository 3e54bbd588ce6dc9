export { createSealedCookies, type SealedCookies } from './sealed-cookies.ts';
export { createSealedValues } from './sealed-values.ts';
