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
import { notify } from '../../shared/ui/notify.ts';
import { TextField } from '../../shared/ui/text-field.tsx';
import { EditForm, useEditForm } from './edit-form.tsx';
import { profileTexts } from './profile-texts.ts';

interface NicknameFormProps {
  readonly userId: UserId;
  readonly nickname: string;
  readonly onClose: () => void;
}

/** Changes the nickname, here and for everybody else. */
export function NicknameForm({ userId, nickname, onClose }: NicknameFormProps) {
  const { t } = useTranslation(profileTexts);
  const form = useEditForm({
    stored: nickname,
    problemOf: (value) => nicknameProblem(normalizeNickname(value)),
    save: async (newNickname) => {
      const fallback = t('nickname.failed');
      const changed = await call(changeNickname, { body: { newNickname } }, { fallback });
      changeProfile(userId, changed);
      notify.toast(t('nickname.changed'), 'good');
    },
    onSaved: onClose,
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
