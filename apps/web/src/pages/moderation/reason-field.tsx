import { DECISION_REASON_MAX_LENGTH } from '@mogakgong/contract';
import type { ComponentProps } from 'react';
import { TextareaField } from '../../shared/ui/inputs.tsx';

/** A moderator's text to a person. */
export function ReasonField(props: ComponentProps<typeof TextareaField>) {
  return (
    <TextareaField {...props} rows={3} className="py-2" maxLength={DECISION_REASON_MAX_LENGTH} />
  );
}
