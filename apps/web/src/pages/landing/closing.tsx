import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { useLandingText } from './texts.ts';

/** The way in once more, for those who read to the end. */
export function Closing() {
  const text = useLandingText();
  return (
    <section data-theme="dark" className="bg-ground text-ink">
      <div className="mx-auto grid justify-items-center px-4 py-20 text-center sm:py-28">
        <Lamp light="burning" size={112} decorative />
        <h2 className="mt-6 mb-9 font-extrabold text-heading">{text('closing.title')}</h2>
        <LinkButton href={paths.main} variant="primary" size="large">
          {text('closing.start')}
        </LinkButton>
      </div>
    </section>
  );
}
