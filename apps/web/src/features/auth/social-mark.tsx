import type { SocialProvider } from '@mogakgong/contract';

/** One letter or sign on the colour of the company. */
const marks = {
  google: { ground: '#ffffff', ink: '#4285f4', path: 'M10 10h5a5 5 0 1 1-1.46-3.54' },
  kakao: {
    ground: '#fee500',
    ink: '#191600',
    path: 'M6 9.5a4 3 0 1 1 4.5 3L8 14.5v-2.3a3 3 0 0 1-2-2.7z',
  },
  naver: { ground: '#03c75a', ink: '#ffffff', path: 'M7 14V6l6 8V6' },
} as const satisfies Record<SocialProvider, unknown>;

export function SocialMark({ provider }: { readonly provider: SocialProvider }) {
  const { ground, ink, path } = marks[provider];
  return (
    <svg viewBox="0 0 20 20" width="22" height="22" aria-hidden="true" className="shrink-0">
      <circle cx="10" cy="10" r="10" fill={ground} />
      <path d={path} fill="none" stroke={ink} strokeWidth="2" />
    </svg>
  );
}
