import { askSupport, SUPPORT_MESSAGE, supportProblem } from '@mogakgong/contract';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../features/auth/session.ts';
import { call } from '../../shared/api/index.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { copyText } from '../../shared/ui/copy-text.ts';
import { FormDone } from '../../shared/ui/form-done.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { TextareaField } from '../../shared/ui/inputs.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { collectDiagnostics } from './diagnostics.ts';

/** Asks the operator, with the browser's diagnostics if the person agrees. */
export function SupportForm() {
  const { t } = useTranslation(accountTexts);
  const user = useSession((session) => session.user);
  const isLoggedIn = user !== null;
  const [result, setResult] = useState<string>();
  const [diagnostics, setDiagnostics] = useState('');
  /** Collected when viewed or sent: asking for the time zone alone keeps a phone busy. */
  const findDiagnostics = async () => {
    const text = diagnostics || (await collectDiagnostics(isLoggedIn));
    setDiagnostics(text);
    return text;
  };
  const form = useForm({
    initial: { email: user?.email ?? '', message: '', withDiagnostics: true },
    check: supportProblem,
    send: async ({ email: typed, message, withDiagnostics }) => {
      const email = typed.trim();
      const attached = withDiagnostics && { diagnostics: await findDiagnostics() };
      const body = { email, message, ...attached };
      const { isMailed } = await call(askSupport, { body }, { fallback: t('form.sendFailed') });
      setResult(isMailed ? t('form.sent', { email }) : t('form.kept'));
    },
  });
  if (result !== undefined) {
    const again = () => setResult(undefined);
    return <FormDone text={result} again={t('form.again')} onAgain={again} />;
  }
  return (
    <form {...form.props} className="grid gap-5">
      <TextField
        {...form.field('email')}
        label={t('form.email')}
        type="email"
        autoComplete="email"
      />
      <TextareaField
        {...form.field('message')}
        label={t('form.message')}
        hint={t('form.messageHint')}
        rows={7}
        maxLength={SUPPORT_MESSAGE.maxLength}
        inputSize="large"
        className="py-3"
      />
      <Checkbox {...form.box('withDiagnostics')} label={t('form.withDiagnostics')} />
      <Diagnostics text={diagnostics} onLook={findDiagnostics} />
      <FormError {...form.formError} />
      <Button type="submit" variant="primary" size="large" wide loading={form.isSending}>
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
  const { t } = useTranslation(accountTexts);
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
