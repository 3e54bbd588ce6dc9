import type { Subject, UserId } from '@mogakgong/contract';
import { ArrowDown, Trash2 } from 'lucide-react';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Pencil from 'lucide-react/icons/pencil';
import { useRef, useState } from 'react';
import { studyTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { IconButton } from '../../shared/ui/button.tsx';
import { confirmed } from '../../shared/ui/confirmed.ts';
import { notify } from '../../shared/ui/notify.ts';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import { SubjectNameForm } from './subject-name-form.tsx';
import { subjectEdits } from './use-subjects.ts';

interface SubjectListProps {
  readonly userId: UserId;
  readonly subjects: readonly Subject[];
}

/** A learner's subjects, to rename, order and remove. */
export function SubjectList({ userId, subjects }: SubjectListProps) {
  const { t } = useTranslation(studyTexts);
  const ref = useRef<HTMLUListElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  // The row of a removed subject disappears together with the pressed button.
  useKeptFocus(ref, () => ref.current?.querySelector<HTMLElement>('button')?.focus());
  const { change, remove, restore } = subjectEdits(userId);
  const run = async (work: () => Promise<boolean>) => {
    if (isBusy) return false;
    setIsBusy(true);
    return work().finally(() => setIsBusy(false));
  };
  const askToRemove = async (subject: Subject) => {
    const { name } = subject;
    const isSure = await confirmed(
      t('subjects.removeAsk', { name }),
      t('subjects.removeNote', { name }),
      t('subjects.removeConfirm'),
    );
    if (!isSure || !(await run(() => remove(subject)))) return;
    const onPress = () => void restore(subject);
    notify.toast(t('subjects.removed', { name }), 'plain', { label: t('subjects.undo'), onPress });
  };
  return (
    <ul ref={ref} aria-label={t('subjects.listed')} className="grid grid-cols-1 gap-1">
      {subjects.map((subject, place) => (
        <SubjectRow
          key={subject.id}
          subject={subject}
          onRename={(name) => run(() => change(subject, { name }))}
          onRemove={() => void askToRemove(subject)}
          onMove={{
            up: place > 0 && (() => void run(() => change(subject, { position: place - 1 }))),
            down:
              place < subjects.length - 1 &&
              (() => void run(() => change(subject, { position: place + 1 }))),
          }}
        />
      ))}
    </ul>
  );
}

interface SubjectRowProps {
  readonly subject: Subject;
  readonly onRename: (name: string) => Promise<boolean>;
  readonly onRemove: () => void;
  /** False at the end of the list. */
  readonly onMove: { readonly up: (() => void) | false; readonly down: (() => void) | false };
}

function SubjectRow({ subject: { name }, onRename, onRemove, onMove }: SubjectRowProps) {
  const { t } = useTranslation(studyTexts);
  const ref = useRef<HTMLLIElement>(null);
  const [isRenaming, setIsRenaming] = useState(false);
  useKeptFocus(ref, () => ref.current?.querySelector<HTMLElement>('button')?.focus());
  if (isRenaming) {
    return (
      <li ref={ref}>
        <SubjectNameForm
          name={name}
          label={t('subjects.renameLabel')}
          submitLabel={t('subjects.save')}
          onSubmit={async (renamed) => renamed === name || onRename(renamed)}
          onClose={() => setIsRenaming(false)}
        />
      </li>
    );
  }
  const moves = [
    { icon: ArrowUp, label: t('subjects.up', { name }), onClick: onMove.up },
    { icon: ArrowDown, label: t('subjects.down', { name }), onClick: onMove.down },
  ];
  return (
    <li ref={ref} className="flex min-h-11 items-center gap-1">
      <span className="min-w-0 flex-1 truncate text-small">{name}</span>
      <IconButton
        icon={Pencil}
        size="small"
        label={t('subjects.rename', { name })}
        onClick={() => setIsRenaming(true)}
      />
      {moves.map(({ onClick, ...button }) => (
        <IconButton
          key={button.label}
          {...button}
          size="small"
          aria-disabled={!onClick || undefined}
          onClick={onClick || undefined}
        />
      ))}
      <IconButton
        icon={Trash2}
        size="small"
        label={t('subjects.remove', { name })}
        onClick={onRemove}
      />
    </li>
  );
}
