export { createPlan } from './plan.ts';
