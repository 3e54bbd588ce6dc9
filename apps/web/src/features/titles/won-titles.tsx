import { findTitle, type WonTitle } from '@mogakgong/contract';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { CloseButton } from '../../shared/ui/close-button.tsx';
import { endCelebration } from './celebrations.ts';
import { TitleIcon } from './title-icon.tsx';

/** The titles won just now. */
export function WonTitles({ won }: { readonly won: readonly WonTitle[] }) {
  const { t, language } = useTranslation(studyTexts);
  const latest = won.at(-1);
  const text = latest && findTitle(latest.titleId)?.[language];
  if (!latest || !text) return null;
  return (
    <div className="toast pointer-events-auto flex h-14 max-w-full items-center gap-3 rounded-full border border-lamp-ink bg-lamp-wash pr-1.5 pl-4 shadow-raised">
      <TitleIcon name={latest.icon} size={28} />
      <p className="min-w-0 text-small leading-tight">
        <span className="block text-caption text-lamp-ink">
          {won.length === 1 ? t('won.one') : t('won.many', { count: won.length })}
        </span>
        <span className="block truncate">
          <b>{text.name}</b> <span className="text-ink-soft max-sm:hidden">{text.description}</span>
        </span>
      </p>
      <CloseButton onClick={endCelebration} />
    </div>
  );
}
