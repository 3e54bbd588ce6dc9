import { useTranslation } from '../../shared/i18n/texts.ts';
import { Segments } from './segments.tsx';
import { statisticsTexts } from './statistics-texts.ts';
import { TableToggle } from './table-toggle.tsx';

interface ChartActionsProps<Span extends string> {
  readonly span: Span;
  /** What each span is called. */
  readonly spans: Readonly<Record<Span, string>>;
  readonly onSpan: (span: Span) => void;
  /** The name of the chart, for screen readers; null while there is nothing to draw. */
  readonly chart: string | null;
  readonly isTable: boolean;
  readonly onTable: (isTable: boolean) => void;
}

/** Above a chart: how long a time it shows, and whether as a table. */
export function ChartActions<Span extends string>(props: ChartActionsProps<Span>) {
  const { span, spans, onSpan, chart, isTable, onTable } = props;
  const { t } = useTranslation(statisticsTexts);
  return (
    <>
      <Segments label={t('days.span')} value={span} labels={spans} onChange={onSpan} />
      {chart !== null && (
        <TableToggle name={chart} isTable={isTable} onToggle={() => onTable(!isTable)} />
      )}
    </>
  );
}
