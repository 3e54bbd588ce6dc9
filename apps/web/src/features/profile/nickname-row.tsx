import {
  changeNickname,
  NICKNAME_MAX_LENGTH,
  nicknameProblem,
  normalizeNickname,
  type UserId,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { changeProfile } from '../../shared/api/profile.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { EditableRow } from '../../shared/ui/editable-row.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { TextField } from '../../shared/ui/text-field.tsx';
import { EditForm, useEditForm } from './edit-form.tsx';
import { profileTexts } from './profile-texts.ts';

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
      value={<p className="break-words font-semibold">{nickname}</p>}
      editLabel={t('nickname.edit')}
    >
      {(close) => <NicknameForm userId={userId} nickname={nickname} onClose={close} />}
    </EditableRow>
  );
}

function NicknameForm({ userId, nickname, onClose }: NicknameProps & { onClose: () => void }) {
  const { t } = useTranslation(profileTexts);
  const form = useEditForm({
    problemOf: (value) => nicknameProblem(normalizeNickname(value)),
    save: async (newNickname) => {
      const fallback = t('nickname.failed');
      const changed = await call(changeNickname, { body: { newNickname } }, { fallback });
      changeProfile(userId, changed);
      notify.toast(t('nickname.changed'), 'good');
      onClose();
    },
  });
  return (
    <EditForm form={form} onCancel={onClose}>
      <TextField
        ref={form.inputRef}
        label={t('nickname.new')}
        defaultValue={nickname}
        autoComplete="nickname"
        hint={t('nickname.hint', { max: NICKNAME_MAX_LENGTH })}
        error={form.error}
      />
    </EditForm>
  );
}
