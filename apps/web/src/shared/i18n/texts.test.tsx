import { errors } from '@mogakgong/contract';
import { act, render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import specification from '../../../../../docs/specification.md?raw';
import { allTexts } from '../../prerender/prerendered-pages.tsx';
import { fillText, richText } from './format.tsx';
import { initialLanguage, type Language, rememberLanguage } from './language.ts';
import { chooseLanguage, createTranslation, translate, useTranslation } from './texts.ts';

function Greeting() {
  const { t } = useTranslation();
  return <p>{t('notFound.text')}</p>;
}

/** Every text of a file by its key path, for example `sections.3.heading`. */
function flatten(value: unknown, address = ''): [string, string][] {
  if (typeof value === 'string') return [[address, value]];
  return Object.entries(value as object).flatMap(([key, inner]) =>
    flatten(inner, address ? `${address}.${key}` : key),
  );
}

const placeholdersOf = (text: string) => (text.match(/\{\{\w+\}\}|<\/?\w+>/gu) ?? []).sort();

const files = import.meta.glob<object>('./*.json', { eager: true, import: 'default' });
const textsOf = (file: string, language: Language) => flatten(files[`./${file}.${language}.json`]);
const names = [
  'common',
  'account',
  'room',
  'board',
  'help',
  'sanctions',
  'study',
  'statistics',
  'plan',
  'groups',
  'moderation',
  'open',
  'push',
  'category',
  'chat',
  'friends',
  'invitation',
];

it('are all covered', () => {
  expect(Object.keys(files)).toHaveLength(2 * names.length);
});

describe.each(names)('the texts of %s', (file) => {
  const ko = textsOf(file, 'ko');
  const en = new Map(textsOf(file, 'en'));

  it('exist in both languages', () => {
    expect([...en.keys()].sort()).toEqual(ko.map(([key]) => key).sort());
  });

  it('are not empty and have the same placeholders and tags', () => {
    for (const [key, text] of ko) {
      expect(text.trim(), key).not.toBe('');
      expect(en.get(key)?.trim(), key).not.toBe('');
      expect(placeholdersOf(en.get(key) ?? ''), key).toEqual(placeholdersOf(text));
    }
  });

  it('are English in English, except the switches back to Korean', () => {
    const withHangul = [...en].filter(([, text]) => /[가-힣]/u.test(text)).map(([key]) => key);
    expect(withHangul).toEqual(file === 'common' ? ['header.language', 'account.language'] : []);
  });
});

/** Formal where the specification is: its own texts, and "… failed" texts, for which it gives one example. */
const isOfSpecification = (text: string) =>
  specification.includes(text) || /^\S+ \S+에 실패했습니다\.$/u.test(text);

it('address the learner in 해요 style, except legal texts and those of the specification', () => {
  const ofInterface = names.filter((name) => name !== 'open');
  const ofTable = Object.entries(errors).map(([name, { ko }]) => [name, ko] as const);
  const formal = [...ofInterface.flatMap((file) => textsOf(file, 'ko')), ...ofTable].filter(
    ([, text]) => /(?:니다|니까|시오)(?:\P{L}|$)/u.test(text) && !isOfSpecification(text),
  );
  // A consent is a declaration of the learner.
  const declared = ['all', 'age', 'terms', 'privacy'].map((name) => `join.consent.${name}`);
  expect(formal.map(([key]) => key)).toEqual(declared);
});

describe('a translation', () => {
  const texts = {
    ...allTexts.en.common,
    seats_one: '{{count}} seat',
    seats_other: '{{count}} seats',
  };
  const { t } = createTranslation('en', texts);

  it('chooses the plural form of the language', () => {
    const seats = t as (key: string, values: { count: number }) => string;
    expect(seats('seats', { count: 1 })).toBe('1 seat');
    expect(seats('seats', { count: 3 })).toBe('3 seats');
  });

  it('leaves a placeholder without a value visible', () => {
    expect(fillText('Hello {{name}}', {})).toBe('Hello {{name}}');
  });

  it('wraps tagged parts of a text', () => {
    const { container } = render(
      <p>
        {richText('Agree to <link>the <b>terms</b></link>.', {
          link: (inside) => <a href="/terms">{inside}</a>,
        })}
      </p>,
    );
    expect(container.textContent).toBe('Agree to the terms.');
    expect(screen.getByRole('link').textContent).toBe('the terms');
  });
});

describe('the language', () => {
  it('switches the whole page at once and names it in <html lang>', async () => {
    render(<Greeting />);
    expect(screen.getByText('페이지를 찾을 수 없습니다.')).toBeDefined();
    await act(() => chooseLanguage('en'));
    expect(screen.getByText(allTexts.en.common['notFound.text'])).toBeDefined();
    expect(document.documentElement.lang).toBe('en');
    expect(translate('notFound.home')).toBe(allTexts.en.common['notFound.home']);
  });

  it('is remembered for the next visit', () => {
    rememberLanguage('en');
    expect(initialLanguage()).toBe('en');
    rememberLanguage('ko');
    expect(initialLanguage()).toBe('ko');
  });
});
