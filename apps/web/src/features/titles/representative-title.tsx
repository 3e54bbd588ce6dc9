import { NO_TITLE_KEY, type OwnTitle, type UserId } from '@mogakgong/contract';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { messageOf } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Select } from '../../shared/ui/inputs.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import { TitlePlate } from './title-plate.tsx';
import { titlesTexts } from './titles-texts.ts';
import { wearTitle } from './use-own-titles.ts';

interface RepresentativeTitleProps {
  readonly userId: UserId;
  readonly titles: readonly OwnTitle[];
}

/** The title that is worn, and the choice of another among those that were won. */
export function RepresentativeTitle({ userId, titles }: RepresentativeTitleProps) {
  const { t } = useTranslation(titlesTexts);
  const won = titles.filter(({ acquiredAt }) => acquiredAt !== null);
  const worn = titles.find(({ isRepresent }) => isRepresent);
  const [isChanging, setIsChanging] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  useKeptFocus(ref, () => ref.current?.querySelector('select')?.focus());
  const wear = async (titleId: number | typeof NO_TITLE_KEY) => {
    setIsChanging(true);
    try {
      await wearTitle(t, userId, titleId);
      const name = won.find((title) => title.titleId === titleId)?.name;
      notify.toast(name ? t('represent.done', { name }) : t('represent.takenOff'), 'good');
    } catch (error) {
      notify.toast(messageOf(error, t('represent.failed')), 'bad');
    }
    setIsChanging(false);
  };
  return (
    <div ref={ref} className="grid items-center gap-x-10 gap-y-5 lg:grid-cols-2">
      <WornNow worn={worn} />
      {won.length === 0 ? (
        <p className="text-ink-soft text-small">{t('represent.nothingWon')}</p>
      ) : (
        <div className="grid gap-2">
          <ChooseTitle won={won} worn={worn} isBusy={isChanging} onChoose={wear} />
          {worn && (
            <div>
              <Button
                size="small"
                variant="quiet"
                loading={isChanging}
                onClick={() => void wear(NO_TITLE_KEY)}
              >
                {t('represent.takeOff')}
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

function WornNow({ worn }: { readonly worn: OwnTitle | undefined }) {
  const { t } = useTranslation(titlesTexts);
  return (
    <div className="flex items-center gap-4">
      <TitlePlate icon={worn?.icon ?? 'desk'} isLit={worn !== undefined} size="large" />
      <div className="grid min-w-0 gap-0.5">
        <p className="text-caption text-ink-soft">{t('represent.now')}</p>
        <p className="font-bold text-title">{worn?.name ?? t('title.none')}</p>
        {worn && <p className="text-ink-soft text-small">{worn.description}</p>}
      </div>
    </div>
  );
}

interface ChooseTitleProps {
  readonly won: readonly OwnTitle[];
  readonly worn: OwnTitle | undefined;
  readonly isBusy: boolean;
  readonly onChoose: (titleId: number) => Promise<void>;
}

/** The empty option asks for a choice (specification §5). */
function ChooseTitle({ won, worn, isBusy, onChoose }: ChooseTitleProps) {
  const { t } = useTranslation(titlesTexts);
  const id = useId();
  const wornId = worn ? String(worn.titleId) : '';
  const [chosen, setChosen] = useState(wornId);
  useEffect(() => setChosen(wornId), [wornId]);
  const [isMissing, setIsMissing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsMissing(chosen === '');
    if (chosen !== '' && !isBusy) void onChoose(Number(chosen));
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold text-small">
        {t('represent.label')}
      </label>
      <div className="flex flex-wrap gap-2">
        <Select
          id={id}
          value={chosen}
          aria-invalid={isMissing || undefined}
          aria-describedby={isMissing ? `${id}-error` : undefined}
          onChange={(event) => {
            setChosen(event.target.value);
            setIsMissing(false);
          }}
        >
          <option value="">{t('represent.choose')}</option>
          {won.map(({ titleId, name }) => (
            <option key={titleId} value={titleId}>
              {name}
            </option>
          ))}
        </Select>
        <Button type="submit" variant="primary" loading={isBusy}>
          {t('represent.wear')}
        </Button>
      </div>
      {isMissing && (
        <p id={`${id}-error`} role="alert" className="text-caption text-danger">
          {t('represent.missing')}
        </p>
      )}
    </form>
  );
}
