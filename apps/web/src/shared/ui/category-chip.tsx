import type { StudyCategory } from '@mogakgong/contract';
import { categoryTexts } from '../i18n/namespaces.ts';
import { useTranslation } from '../i18n/texts.ts';

/** The category of a room or group as a chip. */
export function CategoryChip({ category }: { readonly category: StudyCategory }) {
  const { t } = useTranslation(categoryTexts);
  return <span className="rounded-small bg-raised px-2 py-0.5">{t(`category.${category}`)}</span>;
}
