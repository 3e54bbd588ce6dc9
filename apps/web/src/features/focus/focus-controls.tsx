import type { FocusStatus } from '@mogakgong/contract';
import { Play } from 'lucide-react';
import Armchair from 'lucide-react/icons/armchair';
import Coffee from 'lucide-react/icons/coffee';
import { type MouseEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { focusTexts } from '../../shared/i18n/focus-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Announcement, useAnnouncement } from '../../shared/ui/announcement.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { StatusDot } from '../../shared/ui/status-dot.tsx';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import { OwnClockText } from './focus-clock.tsx';
import type { OwnTimerView } from './own-timer.ts';
import { KeyHint, useShortcuts } from './shortcuts.tsx';

/** Downloaded when it is first opened. */
const ShortcutsHelp = onDemand(async () => (await import('./shortcuts-help.tsx')).ShortcutsHelp);

interface FocusControlsProps extends OwnProps {
  /** The ring around the dot that shows the progress of today's goal. */
  readonly ring: ReactNode;
}

/** The learner's own clock, a break and "away" by one press or key each, and the list of shortcuts. */
export function FocusControls({ own, ring }: FocusControlsProps) {
  const { t } = useTranslation(focusTexts);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const { clock, toggle, toggleAway } = own;
  const ref = useRef<HTMLFieldSetElement>(null);
  const breakRef = useRef<HTMLButtonElement>(null);
  // The "away" button disappears when it is pressed.
  useKeptFocus(ref, () => breakRef.current?.focus());
  useShortcuts({
    KeyB: toggle,
    KeyA: toggleAway,
    'Shift+Slash': () => setIsHelpOpen(true),
  });
  const status = clock?.status ?? 'idle';
  return (
    <>
      <fieldset
        ref={ref}
        aria-label={t('controls')}
        className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-2 whitespace-nowrap"
      >
        <OwnClock own={own} ring={ring} />
        <span data-dock="0">
          <BreakButton ref={breakRef} own={own} />
        </span>
        {(status === 'focus' || status === 'pause') && (
          <span data-dock="1">
            <AwayButton own={own} />
          </span>
        )}
        <StatusAnnouncer status={clock?.status ?? null} />
      </fieldset>
      {/* Outside the button row: a closing dialog restores the focus itself. */}
      {isHelpOpen && <ShortcutsHelp onClose={() => setIsHelpOpen(false)} />}
    </>
  );
}

/** The room's one large clock: the time that counts now, with its status unless that is focus. */
function OwnClock({ own, ring }: FocusControlsProps) {
  const { t } = useTranslation();
  const { clock } = own;
  return (
    <div className="flex items-center gap-1.5">
      <span className="own-ring">
        {ring}
        <StatusButton own={own} />
      </span>
      <p className="min-w-20 font-bold text-[1.25rem] tabular-nums leading-none max-[22.5rem]:min-w-0 max-[22.5rem]:text-[1.125rem] md:min-w-24 md:text-[1.5rem]">
        {clock && clock.status !== 'focus' && (
          <span className="mr-1.5 font-semibold text-caption text-ink-soft group-data-[fold~=3]/row:sr-only">
            {t(`status.${clock.status}`)}
          </span>
        )}
        {clock && <OwnClockText clock={clock} />}
      </p>
    </div>
  );
}

interface OwnProps {
  readonly own: OwnTimerView;
}

/** The learner's own coloured dot: a press starts, pauses or resumes (specification §4). */
export function StatusButton({ own: { clock, isMoving, toggle } }: OwnProps) {
  const { t } = useTranslation();
  const status = clock?.status ?? 'idle';
  return (
    <button
      type="button"
      aria-label={t(`timer.toggle.${status}`)}
      aria-busy={isMoving || undefined}
      disabled={status === 'ended'}
      className="group -m-1.5 grid size-11 place-items-center rounded-full disabled:cursor-default"
      onClick={ignoringDoubleClick(toggle)}
    >
      <span className="grid size-8 place-items-center rounded-full bg-raised transition-colors group-enabled:group-hover:bg-line">
        <StatusDot status={status} size={14} />
      </span>
    </button>
  );
}

interface BreakButtonProps extends OwnProps {
  readonly ref?: Ref<HTMLButtonElement>;
  /** False where the shortcut does nothing. */
  readonly hasKey?: boolean;
}

/** Pauses while the learner focuses; otherwise starts or resumes, as the primary button. */
export function BreakButton({ ref, own, hasKey = true }: BreakButtonProps) {
  const { t } = useTranslation(focusTexts);
  const { clock, toggle } = own;
  const status = clock?.status ?? 'idle';
  const isFocusing = status === 'focus';
  return (
    <Button
      ref={ref}
      size="small"
      variant={isFocusing || !clock ? 'secondary' : 'primary'}
      icon={isFocusing ? Coffee : Play}
      aria-keyshortcuts={hasKey ? 'B' : undefined}
      disabled={!clock || status === 'ended'}
      onClick={ignoringDoubleClick(toggle)}
    >
      <span className="dock:group-data-[fold~=4]/row:sr-only">
        {t(isFocusing ? 'break' : status === 'idle' ? 'start' : 'resume')}
      </span>
      {hasKey && <KeyHint name="B" />}
    </Button>
  );
}

function AwayButton({ own }: OwnProps) {
  const { t } = useTranslation(focusTexts);
  return (
    <Button
      size="small"
      icon={Armchair}
      aria-keyshortcuts="A"
      onClick={ignoringDoubleClick(own.toggleAway)}
    >
      <span className="dock:group-data-[fold~=3]/row:sr-only">{t('away')}</span>
      <KeyHint name="A" />
    </Button>
  );
}

/** Announces the learner's status whenever it changes, for whatever reason. */
function StatusAnnouncer({ status }: { readonly status: FocusStatus | null }) {
  const { t } = useTranslation();
  const [line, say] = useAnnouncement();
  const lastRef = useRef(status);
  useEffect(() => {
    if (status !== null && lastRef.current !== null && lastRef.current !== status) {
      say(t(`status.${status}`));
    }
    lastRef.current = status;
  }, [status, say, t]);
  return <Announcement line={line} testId="focus-announcement" />;
}

/** A press handler for toggles: the second press of a double click would undo the first. */
function ignoringDoubleClick(act: () => void): (event: MouseEvent) => void {
  return ({ detail }) => {
    if (detail <= 1) act();
  };
}
