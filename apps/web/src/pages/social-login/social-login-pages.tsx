export { AuthFailurePage } from './auth-failure-page.tsx';
export { AuthSuccessPage } from './auth-success-page.tsx';
export { ExtraInfoPage } from './extra-info-page.tsx';
export { SocialCallbackPage } from './social-callback-page.tsx';
