export { createClientErrors } from './client-errors.ts';
