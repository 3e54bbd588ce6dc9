import { create } from 'zustand';

/** Whom the learner is about to report, as they know them. */
export interface ReportTarget {
  readonly userId: number;
  readonly name: string;
}

/** Whom the open report dialog is about; null while it is closed. */
export const useReportTarget = create<{ readonly target: ReportTarget | null }>(() => ({
  target: null,
}));

export const openReport = (target: ReportTarget): void => useReportTarget.setState({ target });
export const closeReport = (): void => useReportTarget.setState({ target: null });
