import { type Consents, consentNames } from '@mogakgong/contract';
import { richText } from '../../shared/i18n/format.tsx';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Checkbox } from '../../shared/ui/checkbox.tsx';

const labels = {
  age: { key: 'join.consent.age', href: undefined },
  terms: { key: 'join.consent.terms', href: paths.terms },
  privacy: { key: 'join.consent.privacy', href: paths.privacy },
} as const;

interface ConsentFieldsProps {
  readonly consents: Consents;
  readonly onChange: (consents: Consents) => void;
  readonly error: string | undefined;
}

/** The three consents with a box that sets them all (specification §4). */
export function ConsentFields({ consents, onChange, error }: ConsentFieldsProps) {
  const { t } = useTranslation();
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
        {error}
      </p>
    </fieldset>
  );
}
