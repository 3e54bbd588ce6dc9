import {
  DAY_START_MAX_MINUTES,
  DEFAULT_TIME_ZONE,
  type FocusSettings,
  putFocusSettings,
  type UserId,
} from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { ApiError, call, type Loaded, messageOf } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { timeOfDayText } from '../../shared/clock/index.ts';
import { focusTexts } from '../../shared/i18n/focus-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { loadToday } from '../../shared/today/today.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { SelectField } from '../../shared/ui/inputs.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { settingsKey } from './use-focus-settings.ts';

const DAY_START_STEP_MINUTES = 30;

interface FocusSettingsSectionProps {
  readonly userId: UserId;
  readonly settings: Loaded<FocusSettings>;
}

/** Time zone, start of the day, and whether focus starts on entering (design §2, §5). */
export function FocusSettingsSection({ userId, settings }: FocusSettingsSectionProps) {
  const { t } = useTranslation(focusTexts);
  return (
    <Panel title={t('settings.title')}>
      <LoadState of={settings}>
        {(value) => <SettingsForm userId={userId} settings={value} />}
      </LoadState>
    </Panel>
  );
}

interface SettingsFormProps {
  readonly userId: UserId;
  readonly settings: FocusSettings;
}

function SettingsForm({ userId, settings }: SettingsFormProps) {
  const { t } = useTranslation(focusTexts);
  const [draft, setDraft] = useState(settings);
  const problemId = useId();
  const fallback = t('settings.saveFailed');
  const { mutate, isPending, error, reset } = useMutation(
    {
      mutationFn: () => call(putFocusSettings, { body: draft }, { fallback }),
      onSuccess: (saved) => {
        queryClient.setQueryData(settingsKey(userId), saved);
        // The settings decide how days are counted.
        void loadToday(userId);
        notify.toast(t('settings.saved'), 'good');
      },
    },
    queryClient,
  );
  const isRefused = error instanceof ApiError && (error.status === 400 || error.status === 409);
  const errorIdOf = (field: keyof FocusSettings) =>
    isRefused && draft[field] !== settings[field] ? problemId : undefined;
  const change = (changed: Partial<FocusSettings>) => {
    // The form shows the values being saved.
    if (isPending) return;
    setDraft({ ...draft, ...changed });
    reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <form className="grid gap-5" onSubmit={submit}>
      <SelectField
        inputSize="large"
        label={t('settings.timeZone')}
        errorId={errorIdOf('timeZone')}
        value={draft.timeZone}
        onChange={(event) => change({ timeZone: event.target.value })}
      >
        {timeZones(settings.timeZone).map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </SelectField>
      <SelectField
        inputSize="large"
        label={t('settings.dayStart')}
        hint={t('settings.dayStartHelp')}
        errorId={errorIdOf('dayStartMinutes')}
        value={draft.dayStartMinutes}
        onChange={(event) => change({ dayStartMinutes: Number(event.target.value) })}
      >
        {dayStarts(settings.dayStartMinutes).map((minutes) => (
          <option key={minutes} value={minutes}>
            {timeOfDayText(minutes)}
          </option>
        ))}
      </SelectField>
      <Checkbox
        label={t('settings.startsOnEntering')}
        checked={draft.startsOnEntering}
        onChange={(event) => change({ startsOnEntering: event.target.checked })}
      />
      <FormError id={problemId} text={error ? messageOf(error, fallback) : undefined} />
      <div>
        <Button type="submit" variant="primary" loading={isPending}>
          {t('settings.save')}
        </Button>
      </div>
    </form>
  );
}

/** Every zone that the browser knows, and always the chosen one and this computer's. */
function timeZones(chosen: string): string[] {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = Intl.supportedValuesOf('timeZone');
  return [...new Set([chosen, here, DEFAULT_TIME_ZONE, ...known])].sort();
}

/** Every half hour from 00:00 to 06:00, and always the chosen time. */
function dayStarts(chosen: number): number[] {
  const steps = DAY_START_MAX_MINUTES / DAY_START_STEP_MINUTES;
  const offered = Array.from({ length: steps + 1 }, (_, step) => step * DAY_START_STEP_MINUTES);
  return [...new Set([...offered, chosen])].sort((a, b) => a - b);
}
