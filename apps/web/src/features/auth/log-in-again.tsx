import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { logOut } from './session.ts';

/** The log-in that this browser remembers is invalid or no longer a learner's (specification §5, §8). */
export function LogInAgain() {
  const { t } = useTranslation();
  return (
    <div className="m-auto grid w-full max-w-lg justify-items-center gap-7 px-5 py-12 text-center">
      <Lamp light="off" size={88} />
      <h1 role="status" className="font-bold text-title">
        {t('room.invalidUser')}
      </h1>
      <Button variant="primary" onClick={logOut}>
        {t('room.logInAgain')}
      </Button>
    </div>
  );
}
