import { SUBJECTS_MAX, type Subject, subjectKey } from '@mogakgong/contract';
import Plus from 'lucide-react/icons/plus';
import { useRef, useState } from 'react';
import { studyTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import { SubjectNameForm } from './subject-name-form.tsx';
import type { SubjectsOf } from './use-subjects.ts';

const CHIP =
  'inline-flex min-h-11 max-w-full items-center gap-1.5 rounded-full border border-line-strong bg-surface px-4 text-left text-ink text-small transition-colors hover:bg-raised aria-pressed:border-lamp-ink aria-pressed:bg-lamp-wash aria-pressed:font-semibold aria-pressed:text-lamp-ink lg:min-h-9';

/** A learner's subjects, one press each, and a button for a new one. */
export function SubjectPicker({ own }: { readonly own: SubjectsOf }) {
  return (
    <LoadState of={own}>{({ subjects }) => <Chips own={own} subjects={subjects} />}</LoadState>
  );
}

interface ChipsProps {
  readonly own: SubjectsOf;
  readonly subjects: readonly Subject[];
}

function Chips({ own, subjects }: ChipsProps) {
  const { t } = useTranslation(studyTexts);
  const ref = useRef<HTMLFieldSetElement>(null);
  const [isAdding, setIsAdding] = useState(false);
  // The button for a new subject is replaced by its field, and comes back.
  useKeptFocus(ref, () => ref.current?.querySelector<HTMLElement>('[data-add]')?.focus());
  return (
    <fieldset ref={ref} className="grid min-w-0 gap-3">
      <legend className="sr-only">{t('subjects.title')}</legend>
      <div className="-m-1.5 flex max-h-56 flex-wrap gap-2 overflow-y-auto p-1.5">
        {subjects.length > 0 &&
          [{ id: null, name: t('subjects.none') }, ...subjects].map(({ id, name }) => (
            <button
              key={id}
              type="button"
              aria-pressed={own.currentId === id}
              className={CHIP}
              onClick={() => own.choose(id)}
            >
              <span className="truncate">{name}</span>
            </button>
          ))}
        {!isAdding && (
          <button
            type="button"
            data-add
            className={`${CHIP} border-dashed text-ink-soft`}
            onClick={() => setIsAdding(true)}
          >
            <Plus size={16} aria-hidden="true" />
            {t('subjects.add')}
          </button>
        )}
      </div>
      {isAdding && <NewSubject own={own} subjects={subjects} onClose={() => setIsAdding(false)} />}
    </fieldset>
  );
}

interface NewSubjectProps extends ChipsProps {
  readonly onClose: () => void;
}

/** A name that exists already is chosen. */
function NewSubject({ own, subjects, onClose }: NewSubjectProps) {
  const { t } = useTranslation(studyTexts);
  const named = (name: string | null) =>
    subjects.find((one) => name && subjectKey(one.name) === subjectKey(name));
  const isFull = subjects.length >= SUBJECTS_MAX;
  return (
    <SubjectNameForm
      label={t('subjects.addLabel')}
      placeholder={t('subjects.addPlaceholder')}
      submitLabel={t('subjects.addConfirm')}
      problemOf={(name) =>
        isFull && !named(name) ? t('subjects.full', { max: SUBJECTS_MAX }) : undefined
      }
      onSubmit={async (name) => {
        const known = named(name);
        if (!known) return own.add(name);
        own.choose(known.id);
        return true;
      }}
      onClose={onClose}
    />
  );
}
