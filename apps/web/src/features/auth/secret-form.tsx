import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { messageOf } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { Button } from '../../shared/ui/button.tsx';
import { focusField } from '../../shared/ui/inputs.tsx';
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
  code: { name: 'code', type: 'text', autoComplete: 'one-time-code', spellCheck: false },
  password: { name: 'password', type: 'password', autoComplete: 'current-password' },
} as const;

/** One field for a password or code. It takes the focus, again after a refusal. */
export function SecretForm<Result>(props: SecretFormProps<Result>) {
  const { kind, label, hint, submitLabel, send, onDone, actions } = props;
  const form = useRef<HTMLFormElement>(null);
  const { mutate, isPending, error } = useMutation(
    { mutationFn: send, onSuccess: onDone },
    queryClient,
  );
  useEffect(() => {
    if (form.current && !isPending) focusField(form.current, kind);
  }, [kind, isPending]);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const secret = String(new FormData(event.currentTarget).get(kind) ?? '');
    if (!isPending) mutate(secret);
  };
  return (
    <form ref={form} noValidate className="grid gap-5" onSubmit={onSubmit}>
      <TextField
        key={kind}
        {...FIELDS[kind]}
        label={label}
        hint={hint}
        error={error ? messageOf(error) : undefined}
      />
      <div className="flex flex-wrap justify-end gap-2">
        {actions}
        <Button type="submit" variant="primary" loading={isPending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
