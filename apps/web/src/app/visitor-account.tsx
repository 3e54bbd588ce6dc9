import { LoginLink } from '../features/auth/login-link.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** The end of the header for a logged-out visitor; a learner has language and theme in their menu. */
export function VisitorAccount() {
  return (
    <>
      <LanguageSwitch />
      <ThemeSwitch />
      <LoginLink />
    </>
  );
}
