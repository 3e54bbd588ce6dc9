export { createNods } from './nods.ts';
