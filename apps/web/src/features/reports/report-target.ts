import { create } from 'zustand';
import type { Person } from '../../shared/lib/person.ts';

/** The person in the open report dialog; null while it is closed. */
export const useReportTarget = create<{ readonly target: Person | null }>(() => ({
  target: null,
}));

export const openReport = (target: Person): void => useReportTarget.setState({ target });
export const closeReport = (): void => useReportTarget.setState({ target: null });
