import { DECISION_REASON_MAX_LENGTH } from '@mogakgong/contract';
import type { RefObject } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { FieldFrame } from '../../shared/ui/field-frame.tsx';
import { Textarea } from '../../shared/ui/inputs.tsx';
import { moderationTexts } from './moderation-texts.ts';

interface ReasonFieldProps {
  readonly label: string;
  readonly hint: string;
  /** It was left empty although required. */
  readonly isMissing: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
}

/** A moderator's text to a person. */
export function ReasonField(props: ReasonFieldProps) {
  const { label, hint, isMissing, value, onChange, inputRef } = props;
  const { t } = useTranslation(moderationTexts);
  return (
    <FieldFrame label={label} hint={hint} error={isMissing ? t('decide.reasonMissing') : undefined}>
      {(tie) => (
        <Textarea
          {...tie}
          ref={inputRef}
          rows={3}
          className="py-2"
          maxLength={DECISION_REASON_MAX_LENGTH}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FieldFrame>
  );
}
