import {
  askSupport,
  type PageErrorName,
  SUPPORT_MESSAGE,
  type SupportQuestion,
  supportProblem,
} from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useSession } from '../../features/auth/session.ts';
import { call, messageOf, tableText } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { copyText } from '../../shared/ui/copy-text.ts';
import { FieldFrame } from '../../shared/ui/field-frame.tsx';
import { FormDone } from '../../shared/ui/form-done.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { focusField, Textarea } from '../../shared/ui/inputs.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { collectDiagnostics } from './diagnostics.ts';
import { supportTexts } from './support-texts.ts';

interface Question extends Pick<SupportQuestion, 'email' | 'message'> {
  readonly withDiagnostics: boolean;
}

/** Asks the operator, with the browser's diagnostics if the person agrees. */
export function SupportForm() {
  const { t } = useTranslation(supportTexts);
  const user = useSession((session) => session.user);
  const isLoggedIn = user !== null;
  const [problem, setProblem] = useState<PageErrorName>();
  const [diagnostics, setDiagnostics] = useState('');
  /** Collected when viewed or sent: asking for the time zone alone keeps a phone busy. */
  const findDiagnostics = async () => {
    const text = diagnostics || (await collectDiagnostics(isLoggedIn));
    setDiagnostics(text);
    return text;
  };
  const { mutate, data, variables, isPending, error, reset } = useMutation(
    {
      mutationFn: async ({ withDiagnostics, ...question }: Question) => {
        const body = withDiagnostics
          ? { ...question, diagnostics: await findDiagnostics() }
          : question;
        return call(askSupport, { body }, { fallback: t('form.sendFailed') });
      },
    },
    queryClient,
  );
  if (data) {
    const text = data.isMailed ? t('form.sent', { email: variables.email }) : t('form.kept');
    return <FormDone text={text} again={t('form.again')} onAgain={reset} />;
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    const form = event.currentTarget;
    const given = new FormData(form);
    const email = String(given.get('email') ?? '').trim();
    const message = String(given.get('message') ?? '');
    const broken = supportProblem({ email, message });
    setProblem(broken ?? undefined);
    if (broken) focusField(form, broken === 'supportMessageMalformed' ? 'message' : 'email');
    else mutate({ email, message, withDiagnostics: given.has('withDiagnostics') });
  };
  const isAboutMessage = problem === 'supportMessageMalformed';
  const problemText = problem && tableText(problem);
  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <TextField
        name="email"
        label={t('form.email')}
        type="email"
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={user?.email ?? ''}
        error={isAboutMessage ? undefined : problemText}
      />
      <FieldFrame
        label={t('form.message')}
        hint={t('form.messageHint')}
        error={isAboutMessage ? problemText : undefined}
      >
        {(tie) => (
          <Textarea
            {...tie}
            name="message"
            rows={7}
            maxLength={SUPPORT_MESSAGE.maxLength}
            inputSize="large"
            className="py-3"
          />
        )}
      </FieldFrame>
      <Checkbox name="withDiagnostics" label={t('form.withDiagnostics')} defaultChecked />
      <Diagnostics text={diagnostics} onLook={findDiagnostics} />
      <FormError text={error ? messageOf(error) : undefined} />
      <Button type="submit" variant="primary" size="large" wide loading={isPending}>
        {t('form.send')}
      </Button>
    </form>
  );
}

interface DiagnosticsProps {
  /** Empty until they are viewed. */
  readonly text: string;
  readonly onLook: () => void;
}

/** Exactly the text that is sent, with a button to copy it. */
function Diagnostics({ text, onLook }: DiagnosticsProps) {
  const { t } = useTranslation(supportTexts);
  return (
    <details className="rounded-medium border border-line px-4 py-1 text-small" onToggle={onLook}>
      <summary className="min-h-11 cursor-pointer rounded-small py-3 font-semibold">
        {t('diagnostics.title')}
      </summary>
      <div className="grid justify-items-start gap-3 pt-1 pb-3">
        <p className="text-ink-soft">{t('diagnostics.lead')}</p>
        <pre className="max-w-full wrap-anywhere whitespace-pre-wrap text-caption">{text}</pre>
        <Button size="small" icon={Copy} onClick={() => void copyText(text)}>
          {t('diagnostics.copy')}
        </Button>
      </div>
    </details>
  );
}
