import type { ReactNode } from 'react';
import { useForm } from '../../shared/form/use-form.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';

interface SecretFormProps<Result> {
  /** The kind of secret: a code of the app or a recovery code, or the password. */
  readonly kind: 'code' | 'password';
  readonly label: string;
  readonly hint?: string | undefined;
  readonly submitLabel: string;
  /** Its errors are shown at the field. */
  readonly send: (secret: string) => Promise<Result>;
  readonly onDone: (result: Result) => void;
  /** Shown beside the submit button. */
  readonly actions?: ReactNode;
}

const FIELDS = {
  code: { type: 'text', autoComplete: 'one-time-code', spellCheck: false },
  password: { type: 'password', autoComplete: 'current-password' },
} as const;

/** One field for a password or code. It takes the focus, again after a refusal. */
export function SecretForm<Result>(props: SecretFormProps<Result>) {
  const { kind, label, hint, submitLabel, send, onDone, actions } = props;
  const form = useForm<Record<string, string>>({
    initial: { [kind]: '' },
    focus: kind,
    send: async ({ [kind]: secret = '' }) => onDone(await send(secret)),
  });
  return (
    <form {...form.props} className="grid gap-5">
      <TextField {...form.field(kind)} {...FIELDS[kind]} label={label} hint={hint} />
      <div className="flex flex-wrap justify-end gap-2">
        {actions}
        <Button type="submit" variant="primary" loading={form.isSending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
