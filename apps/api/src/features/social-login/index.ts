export { createSocialLogin } from './social-login.ts';
