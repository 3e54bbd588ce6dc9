import { NO_TITLE_KEY, type WornTitle } from '@mogakgong/contract';
import { Suspense, use } from 'react';
import type { Language } from '../../shared/i18n/language.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { TitleIcon } from './title-icon.tsx';

interface TitleBadgeProps {
  /** Null: no title is worn. */
  readonly title: WornTitle | null;
  /** What stands where no title is worn: the text that asks for one (specification §3), or nothing. */
  readonly placeholder?: boolean;
  /** Pixels of the drawing; the name takes the size of the text around it. */
  readonly iconSize?: number;
}

/**
 * A learner's title on one line: drawing and name, cut off where there is no room. It takes size and
 * colour from the text around it, so that it stands on a tile as well as in the header.
 */
export function TitleBadge({ title, placeholder = false, iconSize = 18 }: TitleBadgeProps) {
  const { t, language } = useTranslation();
  if (title === null)
    return placeholder && <Badge titleKey={NO_TITLE_KEY} name={t('title.none')} />;
  const badge = { titleKey: title.key, icon: <TitleIcon name={title.icon} size={iconSize} /> };
  const asTold = <Badge {...badge} name={title.name} />;
  // A room tells everybody the Korean name.
  if (language === 'ko') return asTold;
  return (
    <Suspense fallback={asTold}>
      <TranslatedBadge {...badge} title={title} language={language} />
    </Suspense>
  );
}

type NameOf = (title: WornTitle, language: Language) => string;
let loading: Promise<NameOf> | undefined;

/** Downloads the catalogue; where that fails titles keep the names that they came with. */
function loadNames(): Promise<NameOf> {
  loading ??= import('./title-names.ts').then(
    ({ titleName }) => titleName,
    () => {
      loading = undefined;
      return ({ name }) => name;
    },
  );
  return loading;
}

interface TranslatedBadgeProps extends Pick<BadgeProps, 'titleKey' | 'icon'> {
  readonly title: WornTitle;
  readonly language: Language;
}

function TranslatedBadge({ title, language, ...badge }: TranslatedBadgeProps) {
  const nameOf = use(loadNames());
  return <Badge {...badge} name={nameOf(title, language)} />;
}

interface BadgeProps {
  readonly titleKey: string;
  readonly name: string;
  readonly icon?: React.ReactNode;
}

function Badge({ titleKey, name, icon }: BadgeProps) {
  return (
    <span
      data-title={titleKey}
      title={name}
      className="inline-flex min-w-0 max-w-full items-center gap-1 align-bottom"
    >
      {icon}
      <span className="truncate">{name}</span>
    </span>
  );
}
