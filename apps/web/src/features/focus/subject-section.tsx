import type { UserId } from '@mogakgong/contract';
import { useState } from 'react';
import { studyTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { SubjectList } from './subject-list.tsx';
import { SubjectPicker } from './subject-picker.tsx';
import { useSubjects } from './use-subjects.ts';

/** The subject that a seated learner's focus is counted under: choose, rename and order subjects. */
export function SubjectSection({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(studyTexts);
  const own = useSubjects(userId, true);
  const [isManaging, setIsManaging] = useState(false);
  const count = own.value?.subjects.length ?? 0;
  return (
    <section aria-label={t('subjects.title')} className="grid grid-cols-1 gap-3">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-2">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <h3 className="font-bold text-small">{t('subjects.title')}</h3>
          {!own.value?.isShown && (
            <span className="text-caption text-ink-soft">{t('subjects.private')}</span>
          )}
        </div>
        {count > 0 && (
          <Button
            size="small"
            variant="quiet"
            aria-expanded={isManaging}
            onClick={() => setIsManaging(!isManaging)}
          >
            {t(isManaging ? 'subjects.manageDone' : 'subjects.manage')}
          </Button>
        )}
      </div>
      {isManaging && count > 0 ? (
        <SubjectList userId={userId} subjects={own.value?.subjects ?? []} />
      ) : (
        <SubjectPicker own={own} />
      )}
      {count > 0 && (
        <Checkbox
          label={t('subjects.show')}
          checked={own.value?.isShown ?? false}
          onChange={(event) => void own.show(event.target.checked)}
        />
      )}
    </section>
  );
}

/** The same in the camera check before entering, which works without subjects if they cannot be loaded. */
export function SubjectBeforeEntering({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(studyTexts);
  const own = useSubjects(userId, false);
  if (own.value === null) return null;
  return (
    <section aria-label={t('subjects.title')} className="grid gap-2">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <h3 className="font-semibold text-ink text-small">{t('subjects.title')}</h3>
        <span className="text-caption text-ink-soft">{t('subjects.private')}</span>
      </div>
      <SubjectPicker own={own} />
    </section>
  );
}
