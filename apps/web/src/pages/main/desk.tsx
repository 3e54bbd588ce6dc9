import { classNames } from '../../shared/ui/class-names.ts';

/** A place of the study room before one enters: a desk with a lamp, lit for a learner who is there. */
export function Desk({ isLit }: { readonly isLit: boolean }) {
  const light = classNames(
    'fill-lamp transition-opacity duration-1000',
    isLit ? 'opacity-100' : 'opacity-0',
  );
  return (
    <svg viewBox="0 0 160 90" aria-hidden="true" className="h-auto w-full">
      <path d="M62 34 38 70h76z" className={light} fillOpacity="0.16" />
      <path d="M64 34 52 70h40z" className={light} fillOpacity="0.22" />
      <g
        fill="none"
        className="stroke-idle"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M24 71h112" />
        <path d="M34 71v12M126 71v12" />
        <path d="M40 70h12" strokeWidth="4" />
        <path d="M46 69 40 46l16-18" />
        <path d="M98 70v-8h26v8M98 66h26" />
        <path d="M66 69.5c5-2.6 10-2.6 14 0 4-2.6 9-2.6 14 0" />
      </g>
      <path d="m54 21 24 8-8 11-22-7z" className={isLit ? 'fill-idle' : 'fill-line-strong'} />
      <path d="M55 36a7 7 0 0 0 10 3.4z" className={light} />
    </svg>
  );
}
