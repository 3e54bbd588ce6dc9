export type { SecondFactorService } from './second-factor.service.ts';
export { createSecondFactor } from './second-factor.ts';
