import { finishSocialSignup, nicknameProblem, normalizeNickname } from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { JoinFormEnd, NicknameField } from './join-fields.tsx';
import { emptyJoinValues, joinErrors } from './join-rules.ts';

interface SocialSignupFormProps {
  /** The new person's name at the provider. */
  readonly suggestion: string;
  /** Continues with the access token of the new account. */
  readonly onJoined: (token: string) => Promise<void>;
}

/** Name and consents of a new person. */
export function SocialSignupForm({ suggestion, onJoined }: SocialSignupFormProps) {
  const { t } = useTranslation(accountTexts);
  const form = useForm({
    initial: { nickname: usableName(suggestion), consents: emptyJoinValues.consents },
    mode: 'leave',
    check: joinErrors,
    send: async ({ nickname, consents }) => {
      const body = { nickname: normalizeNickname(nickname), consents };
      const options = { fallback: t('join.failed') };
      const { token } = await call(finishSocialSignup, { body }, options);
      await onJoined(token);
    },
  });
  return (
    <form {...form.props} className="grid gap-5">
      <NicknameField form={form} />
      <JoinFormEnd form={form} />
    </form>
  );
}

/** The suggestion if it satisfies our rules, else an empty string. */
function usableName(suggestion: string): string {
  const nickname = normalizeNickname(suggestion);
  return nicknameProblem(nickname) === null ? nickname : '';
}
