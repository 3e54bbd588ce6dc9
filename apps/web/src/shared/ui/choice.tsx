import { useId } from 'react';
import { classNames } from './class-names.ts';

/** `medium`: an answer in a form · `small`: a display option; only screen readers get its label. */
type ChoiceSize = 'medium' | 'small';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly size?: ChoiceSize;
  readonly onChange: (value: Value) => void;
}

const OPTIONS: Readonly<Record<ChoiceSize, string>> = {
  medium: 'min-h-11 px-4 has-checked:bg-primary has-checked:text-on-primary',
  small:
    'min-h-8 min-w-11 justify-center px-2.5 has-checked:bg-surface has-checked:text-ink has-checked:shadow-raised max-lg:min-h-11 sm:px-3 pointer-coarse:min-h-11',
};

/** One of a few options, all of them visible: native radio buttons in a row, so that arrow keys move. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, options, value, size = 'medium', onChange } = props;
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className={size === 'small' ? 'sr-only' : 'pb-2 font-semibold text-small'}>
        {label}
      </legend>
      <div className="flex w-fit max-w-full flex-wrap gap-1 rounded-medium border border-line bg-raised p-1">
        {options.map((option) => (
          <label
            key={option.value}
            className={classNames(
              'relative inline-flex cursor-pointer items-center rounded-small text-ink-soft text-small hover:text-ink has-checked:font-semibold has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-1',
              OPTIONS[size],
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
