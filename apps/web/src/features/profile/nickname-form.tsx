import {
  changeNickname,
  NICKNAME_MAX_LENGTH,
  nicknameProblem,
  normalizeNickname,
  type UserId,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { changeProfile } from '../../shared/api/profile.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { TextField } from '../../shared/ui/text-field.tsx';
import { EditForm } from './edit-form.tsx';

interface NicknameFormProps {
  readonly userId: UserId;
  readonly nickname: string;
  readonly onClose: () => void;
}

/** Changes the nickname, here and for everybody else. */
export function NicknameForm({ userId, nickname, onClose }: NicknameFormProps) {
  const { t } = useTranslation(accountTexts);
  const form = useForm({
    initial: { nickname },
    focus: 'nickname',
    check: (typed) => nicknameProblem(normalizeNickname(typed.nickname)),
    send: async ({ nickname: newNickname }) => {
      if (newNickname.trim() !== nickname) {
        const fallback = t('nickname.failed');
        const answer = await call(changeNickname, { body: { newNickname } }, { fallback });
        changeProfile(userId, { nickname: answer.nickname ?? normalizeNickname(newNickname) });
        notify.toast(t('nickname.changed'), 'good');
      }
      onClose();
    },
  });
  return (
    <EditForm form={form} onCancel={onClose}>
      <TextField
        {...form.field('nickname')}
        label={t('nickname.new')}
        autoComplete="nickname"
        hint={t('nickname.hint', { max: NICKNAME_MAX_LENGTH })}
      />
    </EditForm>
  );
}
