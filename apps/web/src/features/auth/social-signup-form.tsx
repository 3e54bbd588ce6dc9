import {
  DEFAULT_INTRODUCTION,
  finishSocialSignup,
  INTRODUCTION_MAX_LENGTH,
  nicknameProblem,
  normalizeNickname,
} from '@mogakgong/contract';
import { useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { ConsentFields } from './consent-fields.tsx';
import { logInWithToken } from './session.ts';
import { socialTexts } from './social-texts.ts';
import { fieldProps, useJoinForm } from './use-join-form.ts';

/** Name, introduction and consents of a new person whose provider calls them `suggestion`; logs in. */
export function SocialSignupForm({ suggestion }: { readonly suggestion: string }) {
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
      await logInWithToken(token);
    },
  });
  return (
    <form noValidate className="grid gap-5" onSubmit={form.submit}>
      <TextField
        {...fieldProps(form, 'nickname')}
        label={t('join.name')}
        autoComplete="nickname"
        hint={t('join.nameHint')}
      />
      <TextField
        name="introduction"
        value={introduction}
        onChange={(event) => setIntroduction(event.target.value)}
        label={t('extra.introduction')}
        maxLength={INTRODUCTION_MAX_LENGTH}
        placeholder={DEFAULT_INTRODUCTION}
        hint={t('extra.introductionHint')}
      />
      <ConsentFields form={form} />
      <FormError id={form.errorId} text={form.errorOf('form')} />
      <Button type="submit" variant="primary" size="large" wide loading={form.isSubmitting}>
        {t('join.submit')}
      </Button>
    </form>
  );
}

/** The suggestion where it keeps our rules, else nothing. */
function usableName(suggestion: string): string {
  const nickname = normalizeNickname(suggestion);
  return nicknameProblem(nickname) === null ? nickname : '';
}
