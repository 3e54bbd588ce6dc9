import { type Consents, consentNames } from '@mogakgong/contract';
import type { FormState } from '../../shared/form/use-form.ts';
import { richText } from '../../shared/i18n/format.tsx';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Checkbox } from '../../shared/ui/checkbox.tsx';

const labels = {
  age: { key: 'join.consent.age', href: undefined },
  terms: { key: 'join.consent.terms', href: paths.terms },
  privacy: { key: 'join.consent.privacy', href: paths.privacy },
} as const;

/** The three consents of a form with a box that sets them all (specification §4). */
export function ConsentFields({ form }: { readonly form: FormState<{ consents: Consents }> }) {
  const { t } = useTranslation();
  const { consents } = form.values;
  const onChange = (changed: Consents) => form.change({ consents: changed });
  const hasAll = consentNames.every((name) => consents[name]);
  return (
    <fieldset className="grid gap-3 rounded-medium border border-line bg-raised p-4">
      <legend className="sr-only">{t('join.consents')}</legend>
      <div className="border-line border-b pb-3 font-semibold">
        <Checkbox
          name="consents"
          label={t('join.consent.all')}
          checked={hasAll}
          onChange={() => onChange({ age: !hasAll, terms: !hasAll, privacy: !hasAll })}
        />
      </div>
      {consentNames.map((name) => (
        <Checkbox
          key={name}
          label={richText(t(labels[name].key), {
            // Opens in another tab, so that nothing typed is lost.
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
          onChange={(event) => onChange({ ...consents, [name]: event.target.checked })}
        />
      ))}
      <p role="alert" className="text-caption text-danger empty:sr-only">
        {form.errorOf('consents')}
      </p>
    </fieldset>
  );
}
