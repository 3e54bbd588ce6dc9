import { ChartNoAxesColumn, Table2 } from 'lucide-react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { statisticsTexts } from './statistics-texts.ts';

interface TableToggleProps {
  readonly isTable: boolean;
  readonly onToggle: () => void;
  /** Of the chart, for screen readers. */
  readonly name: string;
}

/** Between a chart and its table. */
export function TableToggle({ isTable, onToggle, name }: TableToggleProps) {
  const { t } = useTranslation(statisticsTexts);
  const Icon = isTable ? ChartNoAxesColumn : Table2;
  return (
    <Button
      size="small"
      variant="quiet"
      icon={<Icon size={16} aria-hidden="true" />}
      aria-label={t(isTable ? 'chart.asChartOf' : 'chart.asTableOf', { name })}
      onClick={onToggle}
    >
      {t(isTable ? 'chart.asChart' : 'chart.asTable')}
    </Button>
  );
}

interface FiguresTableProps {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly [name: string, ...figures: string[]])[];
}

/** The figures of a chart as a table; a long one scrolls in its place, by keyboard too. */
export function FiguresTable({ caption, head, rows }: FiguresTableProps) {
  const { t } = useTranslation(statisticsTexts);
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={t('table.name', { name: caption })}
      className="max-h-80 overflow-auto rounded-small"
    >
      <table className="w-full border-collapse text-small tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th
                key={name}
                scope="col"
                className="sticky top-0 bg-surface px-2 py-2 text-left font-semibold text-ink-soft not-first:text-right"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...figures]) => (
            <tr key={name} className="border-line border-t">
              <th scope="row" className="px-2 py-2 text-left font-normal">
                {name}
              </th>
              {figures.map((figure, index) => (
                <td key={head[index + 1]} className="px-2 py-2 text-right">
                  {figure}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
