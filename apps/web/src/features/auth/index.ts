export { AuthCard } from './auth-card.tsx';
export { AuthLink } from './auth-link.tsx';
export { EmailLoginForm } from './email-login-form.tsx';
export { JoinForm } from './join-form.tsx';
export { returnPath, withReturnPath } from './return-path.ts';
export { SkipWhenLoggedIn } from './skip-when-logged-in.tsx';
