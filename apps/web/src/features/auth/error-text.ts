import { type PageErrorName, pageErrors } from '@mogakgong/contract';
import { ApiError } from '../../shared/api/index.ts';
import { currentLanguage, translate } from '../../shared/i18n/texts.ts';

/** The text of an error of the table, in the page's language. */
export function tableText(name: PageErrorName): string {
  return pageErrors[name][currentLanguage()];
}

/** The text of anything that was thrown. */
export function thrownText(error: unknown): string {
  return error instanceof ApiError ? error.message : translate('call.unexpected');
}
