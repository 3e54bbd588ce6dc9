import { ChartNoAxesColumn, Table2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Choice } from '../../shared/ui/choice.tsx';
import { Panel } from '../../shared/ui/panel.tsx';

interface ChartPanelProps {
  readonly title: string;
  readonly lead?: string;
  /** The choice of the chart's time span. */
  readonly spans?: ReactNode;
  /** The chart's name, for screen readers. */
  readonly name: string;
  /** Shown instead of an empty chart. */
  readonly empty?: string | false;
  readonly chart: ReactNode;
  /** The figures of the chart; false where there are none. */
  readonly table: ReactNode;
  /** Below chart or table. */
  readonly children?: ReactNode;
}

/** A panel with a chart, which is also a table. */
export function ChartPanel(props: ChartPanelProps) {
  const { title, lead, spans, name, empty, chart, table, children } = props;
  const { t } = useTranslation(statisticsTexts);
  const [isTable, setIsTable] = useState(false);
  return (
    <Panel
      title={title}
      lead={lead}
      actions={
        <>
          {table && (
            <Button
              size="small"
              variant="quiet"
              icon={isTable ? ChartNoAxesColumn : Table2}
              aria-label={t(isTable ? 'chart.asChartOf' : 'chart.asTableOf', { name })}
              onClick={() => setIsTable(!isTable)}
            >
              {t(isTable ? 'chart.asChart' : 'chart.asTable')}
            </Button>
          )}
          {spans}
        </>
      }
    >
      {empty ? <p className="text-ink-soft">{empty}</p> : (isTable && table) || chart}
      {children}
    </Panel>
  );
}

interface SpansProps<Span extends string> {
  readonly value: Span;
  /** The label of each span, in display order. */
  readonly labels: Readonly<Record<Span, string>>;
  readonly onChange: (span: Span) => void;
}

/** The time span of a chart. */
export function Spans<Span extends string>({ value, labels, onChange }: SpansProps<Span>) {
  const { t } = useTranslation(statisticsTexts);
  const spans = Object.keys(labels) as Span[];
  const options = spans.map((span) => ({ value: span, label: labels[span] }));
  return <Choice size="small" label={t('days.span')} {...{ options, value, onChange }} />;
}

interface FiguresTableProps {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly [name: string, ...figures: string[]])[];
}

/** The figures of a chart as a table; a long one scrolls in place, by keyboard too. */
export function FiguresTable({ caption, head, rows }: FiguresTableProps) {
  const { t } = useTranslation(statisticsTexts);
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
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
