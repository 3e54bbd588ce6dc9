import { useId } from 'react';

interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  /** What each choice is called, in the order in which they stand. */
  readonly labels: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
}

/** A few choices in one row; native radio buttons, so that arrow keys move. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const name = useId();
  const values = Object.keys(props.labels) as Value[];
  return (
    <fieldset className="inline-flex rounded-medium bg-raised p-1">
      <legend className="sr-only">{props.label}</legend>
      {values.map((value) => (
        <label
          key={value}
          className="cursor-pointer rounded-small px-3 py-1 text-ink-soft text-small has-checked:bg-surface has-checked:font-semibold has-checked:text-ink has-checked:shadow-raised has-focus-visible:outline-2 has-focus-visible:outline-ring"
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === props.value}
            className="sr-only"
            onChange={() => props.onChange(value)}
          />
          {props.labels[value]}
        </label>
      ))}
    </fieldset>
  );
}
