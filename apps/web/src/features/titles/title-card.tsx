import type { OwnTitle, TitleProgress } from '@mogakgong/contract';
import { DAY_MS } from '@mogakgong/contract';
import { serverNowMs } from '../../shared/clock/index.ts';
import { dateFormat } from '../../shared/i18n/date-format.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { type StudyText, studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { TitlePlate } from './title-plate.tsx';

/** How long a title is marked as new. */
const NEW_FOR_MS = DAY_MS;

interface TitleCardProps {
  readonly title: OwnTitle;
  /** The time zone of the date it was won on. */
  readonly timeZone?: string | undefined;
  /** A placeholder for a list that was not loaded. */
  readonly isSample?: boolean;
}

/** One title: won with its date, or its progress. */
export function TitleCard({ title, timeZone, isSample = false }: TitleCardProps) {
  const { t, language } = useTranslation(studyTexts);
  const isWon = title.acquiredAt !== null;
  // The learner may not have seen it: a title can be won by leaving a room.
  // NaN where the answer does not say when.
  const wonAtMs = Date.parse(title.acquiredAt ?? '');
  const isNew = serverNowMs() - wonAtMs < NEW_FOR_MS;
  const wonOn = dateFormat(language, { dateStyle: 'medium', timeZone });
  return (
    <li
      data-title={title.key}
      className={classNames(
        'grid grid-cols-[auto_1fr] items-start gap-x-4 rounded-medium border p-4 max-sm:gap-x-3 max-sm:p-3',
        title.isRepresent ? 'border-lamp-ink bg-lamp-wash' : 'border-line bg-surface',
        isSample && 'border-dashed',
      )}
    >
      <TitlePlate icon={title.icon} isLit={isWon} />
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className={classNames('font-semibold', !isWon && 'text-ink-soft')}>
            {title.name}
          </span>
          {isNew && <Mark>{t('card.new')}</Mark>}
          {title.isRepresent && <Mark>{t('card.represent')}</Mark>}
          {isSample && <Mark>{t('card.sample')}</Mark>}
        </p>
        {/* On a phone both share a line, so that a list of won titles stays short. */}
        <div className="flex flex-wrap gap-x-2 text-caption sm:grid sm:gap-1">
          <p className="text-ink-soft">{title.description}</p>
          {wonAtMs > 0 && !isSample && (
            <p className="text-lamp-ink">{t('card.wonOn', { date: wonOn.format(wonAtMs) })}</p>
          )}
        </div>
        {!isWon && !isSample && <TitleProgressBar progress={title.progress} name={title.name} />}
      </div>
    </li>
  );
}

function Mark({ children }: { readonly children: string }) {
  return (
    <span className="rounded-full border border-lamp-ink px-2 text-label text-lamp-ink">
      {children}
    </span>
  );
}

/** The progress in the title's own unit, never rounded up to the target. */
function progressText(t: StudyText, { unit, current, target }: TitleProgress): string {
  if (unit === 'seconds') {
    return t('progress.duration', {
      current: durationText(t, current * 1_000),
      target: durationText(t, target * 1_000),
    });
  }
  return t(`progress.${unit}`, { current, target });
}

interface TitleProgressBarProps {
  readonly progress: TitleProgress;
  readonly name: string;
}

/** A title's progress as a bar and as text. */
export function TitleProgressBar({ progress, name }: TitleProgressBarProps) {
  const { t } = useTranslation(studyTexts);
  const text = progressText(t, progress);
  return (
    <div className="mt-2 grid gap-1">
      <div
        role="progressbar"
        aria-label={t('progress.label', { name })}
        aria-valuemin={0}
        aria-valuemax={progress.target}
        aria-valuenow={progress.current}
        aria-valuetext={text}
        className="h-1.5 overflow-hidden rounded-full bg-raised"
      >
        <div
          className="h-full bg-lamp forced-color-adjust-none"
          style={{ width: `${(100 * progress.current) / Math.max(1, progress.target)}%` }}
        />
      </div>
      <p aria-hidden="true" className="text-caption text-ink-soft tabular-nums">
        {text}
      </p>
    </div>
  );
}
