import type { ReactNode } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';

/** Figures side by side, each under its name. */
export function Figures({ children }: { readonly children: ReactNode }) {
  return <dl className="grid grid-cols-2 gap-x-6 gap-y-5">{children}</dl>;
}

interface FigureProps {
  readonly name: string;
  readonly value: ReactNode;
  /** Stands in for a figure that was not loaded. */
  readonly isUnknown?: boolean;
}

/** One figure and its name. */
export function Figure({ name, value, isUnknown = false }: FigureProps) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-ink-soft text-small">{name}</dt>
      <dd
        className={classNames(
          'font-bold text-title tabular-nums',
          isUnknown && 'text-ink-soft line-through decoration-1',
        )}
      >
        {value}
      </dd>
    </div>
  );
}
