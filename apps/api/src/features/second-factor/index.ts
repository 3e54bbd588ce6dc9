export { createSecondFactor, type SecondFactorService } from './second-factor.ts';
