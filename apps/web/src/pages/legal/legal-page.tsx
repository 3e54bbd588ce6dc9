import { consentVersions } from '@mogakgong/contract';
import { fillText } from '../../shared/i18n/format.tsx';
import { useTranslation } from '../../shared/i18n/texts.ts';

/** A legal text as its JSON file stores it. */
export interface LegalText {
  readonly title: string;
  readonly description: string;
  readonly summary: string;
  readonly sections: readonly LegalSection[];
}

interface LegalSection {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly items?: readonly string[];
}

interface LegalPageProps {
  readonly name: 'terms' | 'privacy';
  readonly text: LegalText;
}

/** The terms of use or the privacy policy. */
export function LegalPage({ name, text }: LegalPageProps) {
  const version = consentVersions[name];
  const { t, language } = useTranslation();
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(version),
  );
  return (
    <article className="mx-auto w-full max-w-[46rem] px-4 py-14 sm:px-6 sm:py-20">
      <h1 className="font-extrabold text-heading">{text.title}</h1>
      <p className="mt-3 text-ink-soft text-small">
        <time dateTime={version}>{t('legal.effective', { date })}</time>
      </p>
      <p className="mt-8 rounded-large bg-lamp-wash p-6 text-lead">{text.summary}</p>
      {text.sections.map((section) => (
        <Section key={section.heading} section={section} />
      ))}
    </article>
  );
}

function Section({ section }: { readonly section: LegalSection }) {
  const { t } = useTranslation();
  const values = { operator: t('legal.operator') };
  return (
    <section className="mt-12">
      <h2 className="font-bold text-title">{section.heading}</h2>
      {section.paragraphs.map((paragraph) => (
        <p key={paragraph} className="mt-3.5">
          {capitalized(fillText(paragraph, values))}
        </p>
      ))}
      {section.items && (
        <ul className="mt-3.5 list-disc space-y-2 pl-5 marker:text-ink-soft">
          {section.items.map((item) => (
            <li key={item}>{fillText(item, values)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The operator's name may begin the sentence. */
function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
