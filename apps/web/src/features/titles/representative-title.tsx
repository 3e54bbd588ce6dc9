import { NO_TITLE_KEY, type OwnTitle } from '@mogakgong/contract';
import { useEffect, useRef } from 'react';
import { useForm } from '../../shared/form/use-form.ts';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { SelectField } from '../../shared/ui/inputs.tsx';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import { TitlePlate } from './title-plate.tsx';

import type { TitleChange } from './use-title-change.ts';

interface RepresentativeTitleProps {
  readonly titles: readonly OwnTitle[];
  readonly change: TitleChange;
}

/** The representative title, and the choice of another among those that were won. */
export function RepresentativeTitle({ titles, change }: RepresentativeTitleProps) {
  const { t } = useTranslation(studyTexts);
  const won = titles.filter(({ acquiredAt }) => acquiredAt !== null);
  const worn = titles.find(({ isRepresent }) => isRepresent);
  const ref = useRef<HTMLDivElement>(null);
  useKeptFocus(ref, () => ref.current?.querySelector('select')?.focus());
  return (
    <div ref={ref} className="grid items-center gap-x-10 gap-y-5 lg:grid-cols-2">
      <WornNow worn={worn} hasWon={won.length > 0} />
      <div className="grid gap-2">
        <ChooseTitle {...{ won, worn, change }} />
        {worn && (
          <div>
            <Button
              size="small"
              variant="quiet"
              loading={change.isBusy}
              onClick={() => change.choose(NO_TITLE_KEY)}
            >
              {t('represent.takeOff')}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

interface WornNowProps {
  readonly worn: OwnTitle | undefined;
  readonly hasWon: boolean;
}

/** A learner without titles sees no prompt. */
function WornNow({ worn, hasWon }: WornNowProps) {
  const { t } = useTranslation(studyTexts);
  const none = t(hasWon ? 'title.none' : 'represent.none');
  return (
    <div className="flex items-center gap-4">
      <TitlePlate icon={worn?.icon ?? 'desk'} isLit={worn !== undefined} size="large" />
      <div className="grid min-w-0 gap-0.5">
        <p className="text-caption text-ink-soft">{t('represent.now')}</p>
        <p className="font-bold text-title">{worn?.name ?? none}</p>
        {worn && <p className="text-ink-soft text-small">{worn.description}</p>}
      </div>
    </div>
  );
}

interface ChooseTitleProps extends Pick<RepresentativeTitleProps, 'change'> {
  readonly won: readonly OwnTitle[];
  readonly worn: OwnTitle | undefined;
}

/** The empty option asks for a choice (specification §5). */
function ChooseTitle({ won, worn, change }: ChooseTitleProps) {
  const { t } = useTranslation(studyTexts);
  const wornId = worn ? String(worn.titleId) : '';
  const form = useForm({
    initial: { title: wornId },
    check: ({ title }) => ({ title: title === '' ? t('represent.missing') : undefined }),
    send: ({ title }) => change.choose(Number(title)),
  });
  const { change: choose } = form;
  // Another tab or a reward may have changed it.
  useEffect(() => choose({ title: wornId }), [choose, wornId]);
  return (
    <form {...form.props}>
      <SelectField
        {...form.field('title')}
        label={t('represent.label')}
        hint={won.length === 0 ? t('represent.nothingWon') : undefined}
        action={
          <Button type="submit" variant="primary" loading={change.isBusy}>
            {t('represent.wear')}
          </Button>
        }
      >
        <option value="">{t('represent.choose')}</option>
        {won.map(({ titleId, name }) => (
          <option key={titleId} value={titleId}>
            {name}
          </option>
        ))}
      </SelectField>
    </form>
  );
}
