import { type PageErrorName, pageErrors } from '@mogakgong/contract';
import { currentLanguage } from '../../shared/i18n/texts.ts';

/** The text of an error of the table, in the page's language. */
export function tableText(name: PageErrorName): string {
  return pageErrors[name][currentLanguage()];
}
