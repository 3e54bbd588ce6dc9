import type { UserId } from '@mogakgong/contract';
import { useState } from 'react';
import { subjectsTexts } from '../../shared/i18n/subjects-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import type { SubjectChoice } from './current-subject.ts';
import { SubjectList } from './subject-list.tsx';
import { SubjectPicker } from './subject-picker.tsx';
import { useSubjects } from './use-subjects.ts';

interface SubjectSectionProps {
  readonly userId: UserId;
  /** The choice of the learner's seat; null before one is taken. */
  readonly seat: SubjectChoice | null;
}

/** The subject that focus is counted under: choose, rename and order subjects. */
export function SubjectSection({ userId, seat }: SubjectSectionProps) {
  const { t } = useTranslation(subjectsTexts);
  const own = useSubjects(userId, seat);
  const [isManaging, setIsManaging] = useState(false);
  const count = own.value?.subjects.length ?? 0;
  return (
    <section aria-label={t('title')} className="grid grid-cols-1 gap-3">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-2">
        <h3 className="font-bold text-small">
          {t('title')}
          <span className="ml-2 font-normal text-caption text-ink-soft">{t('private')}</span>
        </h3>
        {count > 0 && (
          <Button
            size="small"
            variant="quiet"
            aria-expanded={isManaging}
            onClick={() => setIsManaging(!isManaging)}
          >
            {t(isManaging ? 'manageDone' : 'manage')}
          </Button>
        )}
      </div>
      {isManaging && count > 0 ? (
        <SubjectList userId={userId} subjects={own.value?.subjects ?? []} />
      ) : (
        <SubjectPicker own={own} />
      )}
    </section>
  );
}

/** The same in the camera check before entering, which works without subjects if they cannot be loaded. */
export function SubjectBeforeEntering({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(subjectsTexts);
  const own = useSubjects(userId, null);
  if (own.value === null) return null;
  return (
    <section aria-label={t('title')} className="grid gap-2">
      <h3 className="font-semibold text-ink text-small">
        {t('title')}
        <span className="ml-2 font-normal text-caption text-ink-soft">{t('private')}</span>
      </h3>
      <SubjectPicker own={own} />
    </section>
  );
}
