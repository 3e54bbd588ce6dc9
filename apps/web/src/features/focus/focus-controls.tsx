import type { FocusStatus } from '@mogakgong/contract';
import { Play } from 'lucide-react';
import Armchair from 'lucide-react/icons/armchair';
import Coffee from 'lucide-react/icons/coffee';
import { type MouseEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { clockOf, isMoving } from '../../shared/today/own-clock.ts';
import { useOwnClock } from '../../shared/today/today.ts';
import { Announcement, useAnnouncement } from '../../shared/ui/announcement.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { StatusDot } from '../../shared/ui/status-dot.tsx';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import { OwnTimes } from './focus-clock.tsx';
import { toggleAway, toggleTimer } from './own-timer.ts';
import { KeyHint, useShortcuts } from './shortcuts.tsx';

const ShortcutsHelp = onDemand(async () => (await import('./shortcuts-help.tsx')).ShortcutsHelp);

interface FocusControlsProps {
  /** The ring around the dot that shows the progress of today's goal. */
  readonly ring: ReactNode;
  /** The current subject, beside the clock. */
  readonly subject?: ReactNode;
}

/** The learner's own clock, a break and "away" by one press or key each, and the list of shortcuts. */
export function FocusControls({ ring, subject }: FocusControlsProps) {
  const { t } = useTranslation(roomTexts);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const clock = useOwnClock(clockOf);
  const ref = useRef<HTMLFieldSetElement>(null);
  const breakRef = useRef<HTMLButtonElement>(null);
  // The "away" button disappears when it is pressed.
  useKeptFocus(ref, () => breakRef.current?.focus());
  useShortcuts({
    KeyB: toggleTimer,
    KeyA: toggleAway,
    'Shift+Slash': () => setIsHelpOpen(true),
  });
  const status = clock?.status ?? 'idle';
  return (
    <>
      <fieldset
        ref={ref}
        aria-label={t('focus.controls')}
        className="flex min-w-0 items-center gap-x-0.5 whitespace-nowrap md:gap-x-1.5"
      >
        <OwnClock ring={ring} subject={subject} />
        <span data-dock="0">
          <BreakButton ref={breakRef} />
        </span>
        {(status === 'focus' || status === 'pause') && (
          <span data-dock="1">
            <AwayButton />
          </span>
        )}
        <StatusAnnouncer status={clock?.status ?? null} />
      </fieldset>
      {/* Outside the button row: a closing dialog restores the focus itself. */}
      {isHelpOpen && <ShortcutsHelp onClose={() => setIsHelpOpen(false)} />}
    </>
  );
}

/** The room's one large clock, with the status below it. */
function OwnClock({ ring, subject }: FocusControlsProps) {
  const clock = useOwnClock(clockOf);
  const userId = useOwnClock((own) => own.userId);
  return (
    <div className="flex items-center gap-1.5">
      <span className="own-ring">
        {ring}
        <StatusButton />
      </span>
      {clock && userId !== null ? (
        <OwnTimes userId={userId} clock={clock} subject={subject} />
      ) : (
        <div className="own-times" />
      )}
    </div>
  );
}

/** The learner's own coloured dot: a press starts, pauses or resumes (specification §4). */
export function StatusButton() {
  const { t } = useTranslation();
  const status = useOwnClock(clockOf)?.status ?? 'idle';
  const isBusy = useOwnClock(isMoving);
  return (
    <button
      type="button"
      aria-label={t(`timer.toggle.${status}`)}
      aria-busy={isBusy || undefined}
      disabled={status === 'ended'}
      className="group -m-1.5 grid size-11 place-items-center rounded-full disabled:cursor-default"
      onClick={ignoringDoubleClick(toggleTimer)}
    >
      <span className="grid size-8 place-items-center rounded-full bg-raised transition-colors group-enabled:group-hover:bg-line">
        <StatusDot status={status} size={14} />
      </span>
    </button>
  );
}

interface BreakButtonProps {
  readonly ref?: Ref<HTMLButtonElement>;
  /** False where the shortcut does nothing. */
  readonly hasKey?: boolean;
}

/** Pauses while the learner focuses; otherwise starts or resumes, as the primary button. */
export function BreakButton({ ref, hasKey = true }: BreakButtonProps) {
  const { t } = useTranslation(roomTexts);
  const clock = useOwnClock(clockOf);
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
      onClick={ignoringDoubleClick(toggleTimer)}
    >
      <span className="@max-[48rem]/bar:sr-only">
        {t(isFocusing ? 'focus.break' : status === 'idle' ? 'focus.start' : 'focus.resume')}
      </span>
      {hasKey && <KeyHint name="B" />}
    </Button>
  );
}

function AwayButton() {
  const { t } = useTranslation(roomTexts);
  return (
    <Button
      size="small"
      icon={Armchair}
      aria-keyshortcuts="A"
      onClick={ignoringDoubleClick(toggleAway)}
    >
      <span className="@max-[55.5rem]/bar:sr-only">{t('focus.away')}</span>
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
