import { type DatedGoal, dCount, nextExam } from '@mogakgong/contract';

/** The days until the next exam, in the bar of the room; nothing without one. */
export function ExamSign({ goal: { exams, day } }: { readonly goal: DatedGoal }) {
  const next = nextExam(exams, day);
  if (!next) return null;
  return (
    <p title={next.name} className="exam-sign">
      <span className="exam-name">{next.name} </span>
      <span className="exam-count">{dCount(next.inDays)}</span>
    </p>
  );
}
