import { STUDY_LEVELS, type StudyLevel } from '@mogakgong/contract';

interface LevelMarkProps {
  readonly level: StudyLevel;
  /** Pixels of its square. */
  readonly size?: number;
}

/** A light that is larger at each level; decorative: the level's name stands beside it. */
export function LevelMark({ level, size = 18 }: LevelMarkProps) {
  const step = STUDY_LEVELS.findIndex(({ name }) => name === level) + 1;
  const share = step / STUDY_LEVELS.length;
  return (
    <svg viewBox="0 0 20 20" width={size} height={size} aria-hidden="true" className="shrink-0">
      <circle cx="10" cy="10" r={4 + 6 * share} className="fill-lamp" fillOpacity="0.28" />
      <circle cx="10" cy="10" r={2.5 + 3 * share} className="fill-lamp" />
    </svg>
  );
}
