import {
  DAY_START_MAX_MINUTES,
  DEFAULT_TIME_ZONE,
  type FocusSettings,
  putFocusSettings,
  type UserId,
} from '@mogakgong/contract';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { ApiError, call, type Loaded, messageOf } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { timeOfDayText } from '../../shared/clock/index.ts';
import { focusTexts } from '../../shared/i18n/focus-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { loadToday } from '../../shared/today/index.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { Select } from '../../shared/ui/inputs.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { settingsKey } from './use-focus-settings.ts';

const DAY_START_STEP_MINUTES = 30;

interface FocusSettingsSectionProps {
  readonly userId: UserId;
  readonly settings: Loaded<FocusSettings>;
}

/** Time zone, start of the day, and whether focus begins on entering (design §2, §5). */
export function FocusSettingsSection({ userId, settings }: FocusSettingsSectionProps) {
  const { t } = useTranslation(focusTexts);
  return (
    <Panel title={t('settings.title')}>
      <LoadState of={settings}>
        {(value) => (
          <SettingsForm
            settings={value}
            onSaved={(saved) => {
              queryClient.setQueryData(settingsKey(userId), saved);
              // Days may be counted another way from now on.
              void loadToday(userId);
            }}
          />
        )}
      </LoadState>
    </Panel>
  );
}

interface Problem {
  readonly text: string;
  /** It is about what was chosen, and not about the way to the server. */
  readonly isRefusal: boolean;
}

function problemOf(error: unknown, fallback: string): Problem {
  const isRefusal = error instanceof ApiError && (error.status === 400 || error.status === 409);
  return { text: messageOf(error, fallback), isRefusal };
}

interface SettingsFormProps {
  readonly settings: FocusSettings;
  readonly onSaved: (settings: FocusSettings) => void;
}

function SettingsForm({ settings, onSaved }: SettingsFormProps) {
  const { t } = useTranslation(focusTexts);
  const [draft, setDraft] = useState(settings);
  const [isSaving, setIsSaving] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const problemId = useId();
  const refusalOf = (field: keyof FocusSettings) =>
    problem?.isRefusal && draft[field] !== settings[field] ? problemId : undefined;
  const change = (changed: Partial<FocusSettings>) => {
    // What is being saved is what is shown.
    if (isSaving) return;
    setDraft({ ...draft, ...changed });
    setProblem(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSaving) return;
    setIsSaving(true);
    setProblem(undefined);
    call(putFocusSettings, { body: draft }, { fallback: t('settings.saveFailed') })
      .then((saved) => {
        onSaved(saved);
        notify.toast(t('settings.saved'), 'good');
      })
      .catch((error: unknown) => setProblem(problemOf(error, t('settings.saveFailed'))))
      .finally(() => setIsSaving(false));
  };
  return (
    <form className="grid gap-5" onSubmit={submit}>
      <Choice
        label={t('settings.timeZone')}
        refusalId={refusalOf('timeZone')}
        value={draft.timeZone}
        onChange={(timeZone) => change({ timeZone })}
      >
        {timeZones(settings.timeZone).map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </Choice>
      <Choice
        label={t('settings.dayStart')}
        hint={t('settings.dayStartHelp')}
        refusalId={refusalOf('dayStartMinutes')}
        value={String(draft.dayStartMinutes)}
        onChange={(minutes) => change({ dayStartMinutes: Number(minutes) })}
      >
        {dayStarts(settings.dayStartMinutes).map((minutes) => (
          <option key={minutes} value={minutes}>
            {timeOfDayText(minutes)}
          </option>
        ))}
      </Choice>
      <Checkbox
        label={t('settings.startsOnEntering')}
        checked={draft.startsOnEntering}
        onChange={(event) => change({ startsOnEntering: event.target.checked })}
      />
      <FormError id={problemId} text={problem?.text} />
      <div>
        <Button type="submit" variant="primary" loading={isSaving}>
          {t('settings.save')}
        </Button>
      </div>
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly hint?: string;
  /** Of the text that says why the choice was refused. */
  readonly refusalId: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: ReactNode;
}

function Choice({ label, hint, refusalId, value, onChange, children }: ChoiceProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, refusalId].filter(Boolean).join(' ');
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold text-small">
        {label}
      </label>
      <Select
        id={id}
        inputSize="large"
        value={value}
        aria-describedby={describedBy || undefined}
        aria-invalid={refusalId !== undefined || undefined}
        className="max-w-sm"
        onChange={(event) => onChange(event.target.value)}
      >
        {children}
      </Select>
      {hint && (
        <p id={`${id}-hint`} className="text-caption text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Every zone that the browser knows, the chosen one and this computer's in any case. */
function timeZones(chosen: string): string[] {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = Intl.supportedValuesOf('timeZone');
  return [...new Set([chosen, here, DEFAULT_TIME_ZONE, ...known])].sort();
}

/** Every half hour from 00:00 to 06:00, and the chosen time in any case. */
function dayStarts(chosen: number): number[] {
  const steps = DAY_START_MAX_MINUTES / DAY_START_STEP_MINUTES;
  const offered = Array.from({ length: steps + 1 }, (_, step) => step * DAY_START_STEP_MINUTES);
  return [...new Set([...offered, chosen])].sort((a, b) => a - b);
}
