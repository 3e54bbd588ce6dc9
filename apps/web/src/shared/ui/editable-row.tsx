import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';

interface EditableRowProps {
  readonly label: string;
  /** Shown while it is not edited. */
  readonly value: ReactNode;
  /** Under the value. */
  readonly note?: ReactNode;
  /** The label of the button that starts editing. */
  readonly editLabel: string;
  /** The form that replaces the value until it calls `close`. */
  readonly children: (close: () => void) => ReactNode;
}

/** A value that can be viewed and edited: its form starts with the stored value each time. */
export function EditableRow({ label, value, note, editLabel, children }: EditableRowProps) {
  const labelId = useId();
  const buttonRef = useRef<HTMLButtonElement>(null);
  const [isEditing, setIsEditing] = useState(false);
  const wasEditing = useRef(false);
  useLayoutEffect(() => {
    if (wasEditing.current && !isEditing) buttonRef.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot stand beside its fields
    <div
      role="group"
      aria-labelledby={labelId}
      className="grid grid-cols-1 gap-x-6 gap-y-1 border-line border-t pt-5 sm:grid-cols-[8rem_minmax(0,1fr)]"
    >
      <p
        id={labelId}
        className="flex items-center self-start font-semibold text-small sm:min-h-11 lg:min-h-9"
      >
        {label}
      </p>
      {isEditing ? (
        <div className="max-w-[30rem] max-sm:pt-1">{children(() => setIsEditing(false))}</div>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <div className="min-w-0">{value}</div>
          <Button ref={buttonRef} size="small" onClick={() => setIsEditing(true)}>
            {editLabel}
          </Button>
          {note && <div className="basis-full">{note}</div>}
        </div>
      )}
    </div>
  );
}
