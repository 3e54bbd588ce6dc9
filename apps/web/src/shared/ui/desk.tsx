import { classNames } from './class-names.ts';
import type { LampLight } from './lamp.tsx';

/** The look of the learner at a drawn desk. */
export interface DeskLook {
  readonly light: LampLight;
  readonly hair: keyof typeof HAIR;
  readonly clothes: 'pine' | 'moss' | 'paper' | 'clay';
  readonly work: keyof typeof WORK;
  /** The lamp is on the left. */
  readonly mirrored?: boolean;
  /** An empty chair. */
  readonly empty?: boolean;
}

const HAIR = {
  short: 'M74 62c-2-20 12-31 27-31 16 0 28 12 25 31-3-9-9-13-14-14-9 5-24 5-31 1-4 3-6 7-7 13z',
  bob: 'M72 79c-7-32 9-49 29-49s35 17 28 49c-2 4-8 4-9-1 1-13-2-23-6-29-9 5-20 5-27 0-5 6-7 17-6 29-1 5-7 5-9 1z',
  bun: 'M101 13a10 10 0 0 1 8 16c11 4 19 15 17 33-3-8-9-13-14-14-9 4-15 4-22 0-6 1-12 6-15 14-2-18 6-29 17-33a10 10 0 0 1 9-16z',
  hood: 'M66 96c-11-42 5-71 35-71s46 29 35 71z',
  long: 'M69 104c-9-42 4-74 32-74s41 32 32 74c-4 3-10 2-11-3 3-24-1-43-8-52-9 5-17 5-26 0-7 9-11 28-8 52-1 5-7 6-11 3z',
} as const;

const WORK = {
  book: (
    <>
      <path d="M101 126c-9-5-22-6-33-3l-4 14h37z" className="desk-paper" />
      <path d="M101 126c9-5 22-6 33-3l4 14h-37z" className="desk-paper-shade" />
    </>
  ),
  laptop: (
    <>
      <path d="M66 137l5-24h60l5 24z" className="desk-metal" />
      <circle cx="101" cy="125" r="3" className="desk-paper-shade" />
    </>
  ),
  mug: (
    <>
      <path d="M88 112h24v20q0 6-6 6H94q-6 0-6-6z" className="desk-paper" />
      <path d="M112 117h3q6 0 6 5.5t-6 5.5h-3" className="desk-handle" />
      <path d="M96 105q-4-4 0-8t0-8M105 105q-4-4 0-8t0-8" className="desk-steam" />
    </>
  ),
  notes: (
    <>
      <path d="M74 137l5-12h30l3 12z" className="desk-paper" />
      <path d="M118 137l1-7 20-1 3 8z" className="desk-paper-shade" />
      <path d="m112 132 13-16" className="desk-pen" />
    </>
  ),
} as const;

function Learner({ hair, clothes }: Pick<DeskLook, 'hair' | 'clothes'>) {
  return (
    <g>
      {hair === 'hood' && <path d={HAIR.hood} className={`desk-clothes-${clothes}`} />}
      <path
        d="M46 150c0-34 20-51 43-55h24c23 4 43 21 43 55z"
        className={`desk-clothes-${clothes}`}
      />
      <path d="M90 84h22v10c0 9-22 9-22 0z" className="desk-skin-shade" />
      <path
        d="M79 60c0-15 9-24 22-24s22 9 22 24c0 19-10 32-22 32S79 79 79 60z"
        className="desk-skin"
      />
      <path d="M88 69q4 3.4 8 0M106 69q4 3.4 8 0" className="desk-line" />
      <path d="M97.5 82q3.5 2 7 0" className="desk-line" />
      <path d={HAIR[hair === 'hood' ? 'short' : hair]} className="desk-hair" />
    </g>
  );
}

/** A drawn study room tile: a learner at a desk, with the lamp that shows their status. */
export function Desk({ light, hair, clothes, work, mirrored, empty }: DeskLook) {
  return (
    <svg
      viewBox="0 0 200 150"
      aria-hidden="true"
      className={classNames('desk', `desk-${light}`)}
      preserveAspectRatio="xMidYMid slice"
    >
      <rect width="200" height="150" className="desk-wall" />
      <g transform={mirrored ? 'matrix(-1 0 0 1 200 0)' : undefined}>
        <circle cx="148" cy="66" r="112" className="desk-halo" />
        <circle cx="148" cy="66" r="76" className="desk-halo" />
        <circle cx="148" cy="66" r="44" className="desk-halo" />
        {empty ? (
          <path d="M72 150V92q0-8 8-8h42q8 0 8 8v58z" className="desk-chair" />
        ) : (
          <Learner hair={hair} clothes={clothes} />
        )}
        <path d="M133 58 108 136h84l-33-70z" className="desk-beam" />
        <rect y="134" width="200" height="16" className="desk-board" />
        {!empty && WORK[work]}
        <g className="desk-lamp">
          <path d="M158 134h24" />
          <path d="M170 132 182 88 158 52" />
        </g>
        <path d="m160 40 10 14-34 16q-5-8-2-15z" className="desk-shade" />
        <path d="m138 67 27-13q3 9-7 14t-20-1z" className="desk-bulb" />
      </g>
    </svg>
  );
}
