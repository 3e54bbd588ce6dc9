import type { OwnSubjects, Subject, SubjectId, UserId } from '@mogakgong/contract';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useEffect, useRef } from 'react';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Menu } from '../../shared/ui/menu.tsx';
import { useShortcuts } from './shortcuts.tsx';
import { useSubjects } from './use-subjects.ts';

interface SubjectChipProps {
  readonly userId: UserId;
  /** Opens the own desk, where subjects are added and changed. */
  readonly onManage: () => void;
}

/**
 * The current subject beside the clock: a press lists the others, the latest first; a key switches to the latest,
 * and back.
 */
export function SubjectChip({ userId, onManage }: SubjectChipProps) {
  const { t } = useTranslation(roomTexts);
  const { value, currentId, choose } = useSubjects(userId, true);
  const previousRef = usePrevious(currentId);
  const others = latestFirst(value, currentId, previousRef.current);
  const toLatest = () => (others[0] ? choose(others[0].id) : onManage());
  useShortcuts({ KeyC: toLatest });
  if (value === null) return null;
  const current = value.subjects.find(({ id }) => id === currentId);
  const name = current?.name ?? t('subject.none');
  const none = { key: 'none', label: t('subject.none'), onSelect: () => choose(null) };
  const entries = [
    ...others.map(({ id, name: label }) => ({
      key: String(id),
      label,
      onSelect: () => choose(id),
    })),
    ...(current ? [none] : []),
    { key: 'manage', label: t('subject.manage'), onSelect: onManage },
  ];
  return (
    <Menu
      label={t('subject.chip', { name })}
      triggerClassName="subject-chip"
      trigger={
        <>
          <span aria-live="polite" className="truncate">
            {name}
          </span>
          <ChevronDown size={12} aria-hidden="true" />
        </>
      }
      entries={entries}
    />
  );
}

/** The subject before the current one, once it has changed. */
function usePrevious(currentId: SubjectId | null | undefined) {
  const previousRef = useRef<SubjectId | null>(null);
  const currentRef = useRef(currentId);
  useEffect(() => {
    if (currentRef.current === currentId) return;
    previousRef.current = currentRef.current ?? null;
    currentRef.current = currentId;
  }, [currentId]);
  return previousRef;
}

/** All subjects but the current one: first the one before it, then those of the last days, then by their order. */
function latestFirst(
  own: OwnSubjects | null,
  currentId: SubjectId | null | undefined,
  previousId: SubjectId | null,
): readonly Subject[] {
  const order = [previousId, ...(own?.recentIds ?? [])];
  const placeOf = ({ id }: Subject) => {
    const place = order.indexOf(id);
    return place === -1 ? order.length : place;
  };
  return (own?.subjects ?? [])
    .filter(({ id }) => id !== currentId)
    .sort((one, other) => placeOf(one) - placeOf(other));
}
