import { logOut } from '../../features/auth/session.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { RoomMessage } from './room-message.tsx';

/** The log-in that this browser remembers is not a learner's, or not any more (specification §5). */
export function LogInAgain() {
  const { t } = useTranslation();
  return (
    <RoomMessage
      title={t('room.invalidUser')}
      actions={
        <Button variant="primary" onClick={logOut}>
          {t('room.logInAgain')}
        </Button>
      }
    />
  );
}
