import {
  POMODORO_BREAK_MAX_MINUTES,
  POMODORO_FOCUS_MAX_MINUTES,
  PomodoroLengths,
  pomodoroPresets,
} from '@mogakgong/contract';
import { type FormEvent, useId, useState } from 'react';
import { focusTexts } from '../../shared/i18n/focus-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';

interface LengthChoiceProps {
  readonly isBusy: boolean;
  readonly onChoose: (lengths: PomodoroLengths) => void;
}

/** Preset lengths, or custom ones. */
export function LengthChoice({ isBusy, onChoose }: LengthChoiceProps) {
  const { t } = useTranslation(focusTexts);
  const [isOwnOpen, setIsOwnOpen] = useState(false);
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        {pomodoroPresets.map((lengths) => {
          const values = { focus: lengths.focusMinutes, break: lengths.breakMinutes };
          return (
            <Button
              key={lengths.focusMinutes}
              size="small"
              loading={isBusy}
              aria-label={`${t('pomodoro.presetShort', values)}: ${t('pomodoro.preset', values)}`}
              onClick={() => onChoose(lengths)}
            >
              {t('pomodoro.presetShort', values)}
            </Button>
          );
        })}
        <Button
          variant="quiet"
          size="small"
          aria-expanded={isOwnOpen}
          onClick={() => setIsOwnOpen(!isOwnOpen)}
        >
          {t('pomodoro.own')}
        </Button>
      </div>
      {isOwnOpen && <OwnLengths isBusy={isBusy} onChoose={onChoose} />}
    </div>
  );
}

function OwnLengths({ isBusy, onChoose }: LengthChoiceProps) {
  const { t } = useTranslation(focusTexts);
  const errorId = useId();
  const [focus, setFocus] = useState('45');
  const [rest, setRest] = useState('15');
  const [isWrong, setIsWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const lengths = PomodoroLengths.safeParse({
      focusMinutes: Number(focus),
      breakMinutes: Number(rest),
    });
    setIsWrong(!lengths.success);
    if (lengths.success) onChoose(lengths.data);
  };
  const field = {
    inputMode: 'numeric',
    maxLength: 3,
    errorId: isWrong ? errorId : undefined,
  } as const;
  return (
    <form className="grid gap-2" noValidate onSubmit={submit}>
      <div className="grid grid-cols-[1fr_1fr_auto] items-end gap-2">
        <TextField
          {...field}
          label={t('pomodoro.focusMinutes')}
          value={focus}
          onChange={(event) => setFocus(event.target.value)}
        />
        <TextField
          {...field}
          label={t('pomodoro.breakMinutes')}
          value={rest}
          onChange={(event) => setRest(event.target.value)}
        />
        <Button type="submit" variant="primary" loading={isBusy}>
          {t('pomodoro.start')}
        </Button>
      </div>
      {isWrong && (
        <p id={errorId} role="alert" className="text-caption text-danger">
          {t('pomodoro.badMinutes', {
            focusMax: POMODORO_FOCUS_MAX_MINUTES,
            breakMax: POMODORO_BREAK_MAX_MINUTES,
          })}
        </p>
      )}
    </form>
  );
}
