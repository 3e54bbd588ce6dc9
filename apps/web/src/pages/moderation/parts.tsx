import type { NamedAccount, ReportReason } from '@mogakgong/contract';
import { type ReactNode, useEffect, useRef } from 'react';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { moderationTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useMoments } from '../../shared/today/use-moments.ts';
import { classNames } from '../../shared/ui/class-names.ts';

/** Formats times for the viewing moderator, in their language and time zone. */
export function useOwnMoments(): (atMs: number) => string {
  return useMoments(useOwnUserId());
}

/** A name with the account number, which stays when the name changes. */
export function Person({ account }: { readonly account: NamedAccount | null }) {
  const { t } = useTranslation(moderationTexts);
  if (account === null) return <span className="text-ink-soft">{t('person.gone')}</span>;
  return (
    <span className="min-w-0 wrap-anywhere">
      {account.nickname ?? t('person.gone')}{' '}
      <span className="text-ink-soft tabular-nums">#{account.userId}</span>
    </span>
  );
}

const TONES = {
  plain: 'border border-line text-ink-soft',
  bad: 'bg-danger-wash text-danger',
  mine: 'bg-lamp-wash text-lamp-ink',
} as const;

/** A short label. */
export function Badge({
  tone = 'plain',
  children,
}: {
  readonly tone?: keyof typeof TONES;
  readonly children: ReactNode;
}) {
  return (
    <span
      className={classNames(
        'inline-flex min-h-6 items-center whitespace-nowrap rounded-small px-2 font-semibold text-label',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

export function Reasons({ reasons }: { readonly reasons: readonly ReportReason[] }) {
  const { t } = useTranslation(moderationTexts);
  return reasons.map((reason) => (
    <Badge key={reason} tone={reason === 'OBSCENE_CONTENT' ? 'bad' : 'plain'}>
      {t(`reason.${reason}`)}
    </Badge>
  ));
}

/** Whether the focused element is gone or hidden, so that keys would start at the top of the page. */
export function isFocusLost(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || !activeElement.checkVisibility();
}

/**
 * The heading of the selected entry. It takes the focus from the list that it replaces, but not on a page
 * that the browser has just opened.
 */
export function PaneHeading({
  id,
  account,
}: {
  readonly id: string;
  readonly account: NamedAccount | null;
}) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (navigator.userActivation?.hasBeenActive && isFocusLost()) ref.current?.focus();
  }, []);
  return (
    <h2
      ref={ref}
      id={id}
      tabIndex={-1}
      className="justify-self-start rounded-small font-bold text-lead"
    >
      <Person account={account} />
    </h2>
  );
}

/** A section of the details. */
export function Part({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <section
      aria-label={title}
      className="grid grid-cols-1 gap-3 border-line border-t px-4 py-5 sm:px-6"
    >
      <h3 className="font-bold text-small">{title}</h3>
      {children}
    </section>
  );
}
