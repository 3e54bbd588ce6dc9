import type { UserId } from '@mogakgong/contract';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { EditableRow } from '../../shared/ui/editable-row.tsx';
import { NicknameForm } from './nickname-form.tsx';

interface NicknameProps {
  readonly userId: UserId;
  readonly nickname: string;
}

/** The learner's name, to view and to edit. */
export function NicknameRow({ userId, nickname }: NicknameProps) {
  const { t } = useTranslation(accountTexts);
  return (
    <EditableRow
      label={t('nickname.label')}
      value={<p className="font-semibold">{nickname}</p>}
      editLabel={t('nickname.edit')}
    >
      {(close) => <NicknameForm userId={userId} nickname={nickname} onClose={close} />}
    </EditableRow>
  );
}
