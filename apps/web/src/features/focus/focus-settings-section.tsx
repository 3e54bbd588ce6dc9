import { DAY_START_MAX_MINUTES, type FocusSettings, type UserId } from '@mogakgong/contract';
import { useId } from 'react';
import { timeOfDayText } from '../../shared/clock/index.ts';
import { type FormState, useForm } from '../../shared/form/use-form.ts';
import { accountTexts, roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { SelectField } from '../../shared/ui/inputs.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { saveFocusSettings } from './save-focus-settings.ts';
import { useFocusSettings } from './use-focus-settings.ts';

const DAY_START_STEP_MINUTES = 30;

/** Time zone, start of the day, and whether focus starts on entering (design §2, §5). */
export function FocusSettingsSection({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(roomTexts);
  return (
    <Panel title={t('settings.title')}>
      <LoadState of={useFocusSettings(userId)}>
        {(value) => <SettingsForm userId={userId} settings={value} />}
      </LoadState>
    </Panel>
  );
}

type FormValues = Omit<FocusSettings, 'dayStartMinutes'> & { readonly dayStartMinutes: string };

interface SettingsFormProps {
  readonly userId: UserId;
  readonly settings: FocusSettings;
}

function SettingsForm({ userId, settings }: SettingsFormProps) {
  const { t } = useTranslation(roomTexts);
  const account = useTranslation(accountTexts);
  const form = useForm<FormValues>({
    initial: { ...settings, dayStartMinutes: String(settings.dayStartMinutes) },
    check: ({ timeZone }) =>
      isTimeZone(timeZone) ? null : { timeZone: account.t('zone.unknown') },
    send: async ({ dayStartMinutes, ...draft }) => {
      const body = { ...draft, dayStartMinutes: Number(dayStartMinutes) };
      await saveFocusSettings(userId, body, t('settings.saveFailed'));
      notify.toast(t('settings.saved'), 'good');
    },
  });
  return (
    <form {...form.props} className="grid gap-5">
      <TimeZoneField form={form} />
      <SelectField
        inputSize="large"
        {...form.field('dayStartMinutes')}
        label={account.t('study.dayStart')}
        hint={account.t('study.dayStartHelp')}
      >
        {dayStarts(settings.dayStartMinutes).map((minutes) => (
          <option key={minutes} value={minutes}>
            {timeOfDayText(minutes)}
          </option>
        ))}
      </SelectField>
      <Checkbox {...form.box('startsOnEntering')} label={t('settings.startsOnEntering')} />
      <FormError {...form.formError} />
      <div>
        <Button type="submit" variant="primary" loading={form.isSending}>
          {t('settings.save')}
        </Button>
      </div>
    </form>
  );
}

/** A zone is searched by typing a part of its name; the device's own is one press away. */
function TimeZoneField({ form }: { readonly form: FormState<FormValues> }) {
  const { t } = useTranslation(accountTexts);
  const id = useId();
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div className="max-w-sm">
      <TextField
        {...form.field('timeZone')}
        label={t('zone.label')}
        hint={t('zone.here', { zone: here })}
        list={id}
        autoComplete="off"
        spellCheck={false}
        // The list offers the zones that match the text.
        onFocus={({ target }) => target.select()}
        action={
          form.values.timeZone !== here && (
            <Button onClick={() => form.change({ timeZone: here })}>{t('zone.use')}</Button>
          )
        }
      />
      <datalist id={id}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </div>
  );
}

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Every half hour from 00:00 to 06:00, and always the chosen time. */
function dayStarts(chosen: number): number[] {
  const steps = DAY_START_MAX_MINUTES / DAY_START_STEP_MINUTES;
  const offered = Array.from({ length: steps + 1 }, (_, step) => step * DAY_START_STEP_MINUTES);
  return [...new Set([...offered, chosen])].sort((a, b) => a - b);
}
