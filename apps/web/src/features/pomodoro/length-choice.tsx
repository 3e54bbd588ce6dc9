import {
  POMODORO_BREAK_MAX_MINUTES,
  POMODORO_FOCUS_MAX_MINUTES,
  PomodoroLengths,
  pomodoroPresets,
} from '@mogakgong/contract';
import { useState } from 'react';
import { useForm } from '../../shared/form/use-form.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';

interface LengthChoiceProps {
  readonly isBusy: boolean;
  readonly onChoose: (lengths: PomodoroLengths) => void;
}

/** Preset lengths, or custom ones. */
export function LengthChoice({ isBusy, onChoose }: LengthChoiceProps) {
  const { t } = useTranslation(roomTexts);
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
  const { t } = useTranslation(roomTexts);
  const rule = t('pomodoro.badMinutes', {
    focusMax: POMODORO_FOCUS_MAX_MINUTES,
    breakMax: POMODORO_BREAK_MAX_MINUTES,
  });
  const form = useForm({
    initial: { focusMinutes: '45', breakMinutes: '15' },
    check: (typed) =>
      lengthsOf(typed) ? null : { focusMinutes: '', breakMinutes: '', form: rule },
    send: (typed) => {
      const lengths = lengthsOf(typed);
      if (lengths) onChoose(lengths);
    },
  });
  const field = { inputMode: 'numeric', maxLength: 3 } as const;
  return (
    <form {...form.props} className="grid gap-2">
      <div className="grid grid-cols-[1fr_1fr_auto] items-end gap-2">
        <TextField {...form.field('focusMinutes')} {...field} label={t('pomodoro.focusMinutes')} />
        <TextField {...form.field('breakMinutes')} {...field} label={t('pomodoro.breakMinutes')} />
        <Button type="submit" variant="primary" loading={isBusy}>
          {t('pomodoro.start')}
        </Button>
      </div>
      <p id={form.formError.id} role="alert" className="text-caption text-danger empty:sr-only">
        {form.formError.text}
      </p>
    </form>
  );
}

const lengthsOf = (typed: { readonly focusMinutes: string; readonly breakMinutes: string }) =>
  PomodoroLengths.safeParse({
    focusMinutes: Number(typed.focusMinutes),
    breakMinutes: Number(typed.breakMinutes),
  }).data;
