import { useTranslation } from '../i18n/texts.ts';

/** The mark: a lamp over ㅁ, which is both the last sound of 모임 and a desk seen from above. */
export function LogoMark({ size = 28 }: { readonly size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className="shrink-0">
      <path d="M16 1.5V5" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
      <path d="M11.6 5h8.8l3 6.2H8.6z" fill="currentColor" />
      <path d="M12.2 12.8a3.8 3.8 0 0 0 7.6 0z" className="fill-lamp" />
      <rect
        x="6.4"
        y="18.4"
        width="19.2"
        height="11.6"
        rx="2"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.8"
      />
    </svg>
  );
}

/** The mark with the name; the name makes way on the narrowest screens. */
export function Logo() {
  const { t } = useTranslation();
  return (
    <span className="inline-flex items-center gap-2.5 text-ink">
      <LogoMark />
      <span className="text-[1.1875rem] font-extrabold tracking-tight max-[22.5rem]:sr-only">
        {t('brand.name')}
      </span>
    </span>
  );
}
