export { unlinkBeforeProof } from './social-login.repository.ts';
export { createSocialLogin } from './social-login.ts';
