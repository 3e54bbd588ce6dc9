import { useOwnUserId, useUnrestrictedUserId } from '../features/auth/own-user-id.ts';
import { Reauthentication } from '../features/auth/reauthentication.tsx';
import { SanctionNotices } from '../features/sanctions/sanction-notices.tsx';

/** Windows that any page may open. They are outside the header, which a room on a phone hides. */
export function LearnerWindows() {
  const ownUserId = useOwnUserId();
  const userId = useUnrestrictedUserId();
  return (
    <>
      {userId !== null && <SanctionNotices key={userId} userId={userId} />}
      {ownUserId !== null && <Reauthentication userId={ownUserId} />}
    </>
  );
}
