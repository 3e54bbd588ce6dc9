import {
  DEFAULT_INTRODUCTION,
  finishSocialSignup,
  INTRODUCTION_MAX_LENGTH,
  nicknameProblem,
  normalizeNickname,
} from '@mogakgong/contract';
import { type ReactNode, useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { TextField } from '../../shared/ui/text-field.tsx';
import { JoinFormEnd, NicknameField } from './join-fields.tsx';
import { socialTexts } from './social-texts.ts';
import { useJoinForm } from './use-join-form.ts';

interface SocialSignupFormProps {
  /** The new person's name at the provider. */
  readonly suggestion: string;
  /** Continues with the access token of the new account. */
  readonly onJoined: (token: string) => Promise<void>;
  /** The picture field, for the nickname in the form. */
  readonly renderPicture: (nickname: string) => ReactNode;
}

/** Name, introduction and consents of a new person. */
export function SocialSignupForm({ suggestion, onJoined, renderPicture }: SocialSignupFormProps) {
  const { t } = useTranslation(socialTexts);
  const [introduction, setIntroduction] = useState('');
  const form = useJoinForm({
    fields: ['nickname', 'consents'],
    nickname: usableName(suggestion),
    send: async ({ nickname, consents }) => {
      const body = {
        nickname: normalizeNickname(nickname),
        introduction: introduction.trim() || DEFAULT_INTRODUCTION,
        consents,
      };
      const options = { fallback: t('join.failed') };
      const { token } = await call(finishSocialSignup, { body }, options);
      await onJoined(token);
    },
  });
  return (
    <form noValidate className="grid gap-5" onSubmit={form.submit}>
      <NicknameField form={form} />
      <TextField
        name="introduction"
        value={introduction}
        onChange={(event) => setIntroduction(event.target.value)}
        label={t('extra.introduction')}
        maxLength={INTRODUCTION_MAX_LENGTH}
        placeholder={DEFAULT_INTRODUCTION}
        hint={t('extra.introductionHint')}
      />
      {renderPicture(form.values.nickname)}
      <JoinFormEnd form={form} />
    </form>
  );
}

/** The suggestion if it satisfies our rules, else an empty string. */
function usableName(suggestion: string): string {
  const nickname = normalizeNickname(suggestion);
  return nicknameProblem(nickname) === null ? nickname : '';
}
