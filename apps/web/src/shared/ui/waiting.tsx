import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

/** Waiting that is longer is said to be long; the start of a page has the same (public/theme.js). */
const LONG_MS = 10_000;

interface WaitingProps {
  /** The text that names the wait. */
  readonly children: ReactNode;
  readonly className?: string;
}

/** Something is on its way; after ten seconds also that it takes long, and the way out. */
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
  /** Other ways out than to load the page again. */
  readonly children?: ReactNode;
}

/** Nothing at first; after ten seconds that it takes long, and the ways out. */
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
