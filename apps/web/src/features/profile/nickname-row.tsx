import type { UserId } from '@mogakgong/contract';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { EditableRow } from '../../shared/ui/editable-row.tsx';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { profileTexts } from './profile-texts.ts';

/** Downloaded when it is first opened. */
const NicknameForm = onDemand(async () => (await import('./nickname-form.tsx')).NicknameForm);

interface NicknameProps {
  readonly userId: UserId;
  readonly nickname: string;
}

/** The learner's name, to view and to edit. */
export function NicknameRow({ userId, nickname }: NicknameProps) {
  const { t } = useTranslation(profileTexts);
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
