import type { UserId } from '@mogakgong/contract';
import { PasskeysPanel } from '../../features/auth/passkeys-panel.tsx';
import { SessionsPanel } from '../../features/auth/sessions-panel.tsx';
import { SocialLoginsPanel } from '../../features/auth/social-logins-panel.tsx';
import { TwoStepPanel } from '../../features/auth/two-step-panel.tsx';

/** The learner's log-in methods and active log-ins: one panel each. */
export function SecuritySection({ userId }: { readonly userId: UserId }) {
  return (
    <>
      <SocialLoginsPanel userId={userId} />
      <TwoStepPanel userId={userId} />
      <PasskeysPanel userId={userId} />
      <SessionsPanel userId={userId} />
    </>
  );
}
