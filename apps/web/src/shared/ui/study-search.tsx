import { STUDY_CATEGORIES, type StudyCategory } from '@mogakgong/contract';
import Search from 'lucide-react/icons/search';
import type { ComponentProps } from 'react';
import { categoryTexts } from '../i18n/namespaces.ts';
import { useTranslation } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { Choice } from './choice.tsx';
import { Input, SelectField } from './inputs.tsx';

/** The search of rooms or groups. */
export interface StudyQuery {
  /** Empty for all. */
  readonly text: string;
  readonly category: StudyCategory | undefined;
}

export const EVERYTHING: StudyQuery = { text: '', category: undefined };

interface StudySearchProps {
  readonly query: StudyQuery;
  readonly onChange: (query: StudyQuery) => void;
  /** Of the words, in characters. */
  readonly maxLength: number;
}

/** Looks for rooms or groups by category, at once, and by words, when they are sent. */
export function StudySearch({ query, onChange, maxLength }: StudySearchProps) {
  const { t } = useTranslation(categoryTexts);
  const search = (text: string) => onChange({ ...query, text: text.trim() });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <Choice
        size="small"
        label={t('search.category')}
        value={query.category ?? 'all'}
        onChange={(chosen) =>
          onChange({ ...query, category: chosen === 'all' ? undefined : chosen })
        }
        options={(['all', ...STUDY_CATEGORIES] as const).map((value) => ({
          value,
          label: t(`category.${value}`),
        }))}
      />
      <search className="min-w-60 flex-1">
        <form
          className="flex gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            search(String(new FormData(event.currentTarget).get('text')));
          }}
        >
          <Input
            type="search"
            name="text"
            defaultValue={query.text}
            // Clearing the words shows all again, without a press.
            onChange={({ target }) => target.value === '' && search('')}
            aria-label={t('search.words')}
            placeholder={t('search.words')}
            maxLength={maxLength}
            autoComplete="off"
          />
          <Button type="submit" size="small" icon={Search}>
            {t('search.submit')}
          </Button>
        </form>
      </search>
    </div>
  );
}

/** In the place of a list where a search has found nothing. */
export function NothingFound() {
  const { t } = useTranslation(categoryTexts);
  return <p className="py-4 text-ink-soft text-small">{t('search.nothing')}</p>;
}

/** The choice of a category in a form; none is chosen at first. */
export function CategoryField(props: Omit<ComponentProps<typeof SelectField>, 'label'>) {
  const { t } = useTranslation(categoryTexts);
  return (
    <SelectField {...props} label={t('search.category')}>
      <option value="" disabled>
        {t('search.choose')}
      </option>
      {STUDY_CATEGORIES.map((category) => (
        <option key={category} value={category}>
          {t(`category.${category}`)}
        </option>
      ))}
    </SelectField>
  );
}
