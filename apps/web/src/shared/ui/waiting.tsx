import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

/** A longer wait is reported as long; the start of a page has the same rule (public/theme.js). */
const LONG_MS = 10_000;

interface WaitingProps {
  /** The name of the wait. */
  readonly children: ReactNode;
  readonly className?: string;
}

/** A wait; after ten seconds also a note that it takes long, and a reload button. */
export function Waiting({ children, className }: WaitingProps) {
  return (
    <div
      className={classNames(
        'flex flex-col items-center justify-center gap-4 text-center text-ink-soft',
        className,
      )}
    >
      <p role="status" className="flex items-center gap-3">
        <Spinner />
        {children}
      </p>
      <TakesLong />
    </div>
  );
}

interface TakesLongProps {
  /** Alternatives to reloading the page. */
  readonly children?: ReactNode;
}

/** Nothing at first; after ten seconds a note that it takes long, and the alternatives. */
export function TakesLong({ children }: TakesLongProps) {
  const { t } = useTranslation();
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return null;
  return (
    <div className="grid justify-items-center gap-3 px-4 text-center text-ink-soft text-small">
      <p role="status">{t('common.takesLong')}</p>
      <div className="flex flex-wrap justify-center gap-3">
        <Button size="small" onClick={() => location.reload()}>
          {t('common.reload')}
        </Button>
        {children}
      </div>
    </div>
  );
}
