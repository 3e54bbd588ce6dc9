import { useTranslation } from '../i18n/texts.ts';

/** The mark: a lamp over ㅁ, which is both the last sound of 모임 and a desk seen from above. */
export function LogoMark({ size = 28 }: { readonly size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className="shrink-0">
      <path d="M16 1v4" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
      <path d="M12 4.6h8l4.2 6.8H7.8z" fill="currentColor" />
      <path d="M12 12.8h8a4 4 0 0 1-8 0z" className="fill-lamp" />
      <path
        d="M6 18.5h20v11.7H6z"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** The mark with the name; the name is hidden on the narrowest screens. */
export function Logo() {
  const { t } = useTranslation();
  return (
    <span className="inline-flex items-center gap-2.5 text-ink">
      <LogoMark />
      <span className="text-logo font-extrabold leading-none tracking-tight whitespace-nowrap max-[24rem]:sr-only">
        {t('brand.name')}
      </span>
    </span>
  );
}
