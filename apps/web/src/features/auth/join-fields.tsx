import { consentNames } from '@mogakgong/contract';
import { richText } from '../../shared/i18n/format.tsx';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { fieldProps, type JoinFormState } from './use-join-form.ts';

const labels = {
  age: { key: 'join.consent.age', href: undefined },
  terms: { key: 'join.consent.terms', href: paths.terms },
  privacy: { key: 'join.consent.privacy', href: paths.privacy },
} as const;

interface JoinPartProps {
  readonly form: JoinFormState;
}

export function NicknameField({ form }: JoinPartProps) {
  const { t } = useTranslation();
  return (
    <TextField
      {...fieldProps(form, 'nickname')}
      label={t('join.name')}
      autoComplete="nickname"
      hint={t('join.nameHint')}
    />
  );
}

/** How every sign-up ends: the consents, what is wrong with the form as a whole, and the button. */
export function JoinFormEnd({ form }: JoinPartProps) {
  const { t } = useTranslation();
  return (
    <>
      <ConsentFields form={form} />
      <FormError id={form.errorId} text={form.errorOf('form')} />
      <Button type="submit" variant="primary" size="large" wide loading={form.isSubmitting}>
        {t('join.submit')}
      </Button>
    </>
  );
}

/** The three consents with a box that sets them all (specification §4). */
function ConsentFields({ form }: JoinPartProps) {
  const { t } = useTranslation();
  const { consents } = form.values;
  const choose = (change: Partial<typeof consents>) =>
    form.change({ consents: { ...consents, ...change } });
  const hasAll = consentNames.every((name) => consents[name]);
  return (
    <fieldset className="grid gap-3 rounded-medium border border-line bg-raised p-4">
      <legend className="sr-only">{t('join.consents')}</legend>
      <div className="border-line border-b pb-3 font-semibold">
        <Checkbox
          name="consents"
          label={t('join.consent.all')}
          checked={hasAll}
          onChange={() => choose({ age: !hasAll, terms: !hasAll, privacy: !hasAll })}
        />
      </div>
      {consentNames.map((name) => (
        <Checkbox
          key={name}
          label={richText(t(labels[name].key), {
            // Beside the form, so that nothing typed is lost.
            link: (inside) => (
              <a
                href={labels[name].href}
                target="_blank"
                rel="noopener"
                className="underline underline-offset-4"
              >
                {inside}
              </a>
            ),
          })}
          checked={consents[name]}
          onChange={(event) => choose({ [name]: event.target.checked })}
        />
      ))}
      <p role="alert" className="text-caption text-danger empty:sr-only">
        {form.errorOf('consents')}
      </p>
    </fieldset>
  );
}
