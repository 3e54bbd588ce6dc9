import { type LandingTexts, useLandingText } from './texts.ts';

type UnbuiltFeature = 'whiteboard';

/** What the page tells of and the product cannot do yet. Whoever builds a feature deletes it here. */
const UNBUILT: ReadonlySet<UnbuiltFeature> = new Set<UnbuiltFeature>(['whiteboard']);

interface ComingSoonProps {
  readonly feature: UnbuiltFeature;
  /** Names the feature, where the words beside it are about more than that. */
  readonly named?: boolean;
}

/** A quiet badge beside the words about a feature, for as long as there is no such feature. */
export function ComingSoon({ feature, named = false }: ComingSoonProps) {
  const text = useLandingText();
  const key: keyof LandingTexts = named ? `soon.${feature}` : 'soon';
  if (!UNBUILT.has(feature)) return null;
  return (
    <span
      data-coming-soon={feature}
      className="inline-flex items-center gap-1.5 whitespace-nowrap rounded-full bg-lamp-wash px-2.5 py-0.5 align-middle font-semibold text-caption text-lamp-ink tracking-normal"
    >
      <span className="size-1.5 rounded-full border border-current" />
      {text(key)}
    </span>
  );
}
