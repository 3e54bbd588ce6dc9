import type { BothLanguages } from './data-rules.ts';
import { personalTables } from './personal-data.ts';
import { withheldTables } from './report-rules.ts';

/** The file that describes the others, in Korean and English. */
export function exportReadme(): string {
  return `${readmeIn('ko')}\n\n${'-'.repeat(72)}\n\n${readmeIn('en')}\n`;
}

const texts = {
  ko: {
    head: `모각공에서 보관하는 내 데이터

이 파일을 만들 때 데이터베이스에 있던 나에 관한 기록 전부예요. 다른 사람이 보낸 메시지는 들어 있지 않아요.
시각은 ISO 8601, 시간의 길이는 밀리초(…Ms)예요. CSV 파일은 표 계산 프로그램에서 열 수 있어요.`,
    picture: 'picture.webp: 프로필 사진(올린 경우)',
    kept: '보관',
    withheld: `들어 있지 않은 것: 비밀번호와 로그인 토큰의 해시(원래 값을 알 수 없고, 이 파일을 훔친 사람에게만 쓸모 있어요),
서비스가 안에서 쓰는 번호. 카메라 화면은 신고에 첨부된 경우 말고는 저장하지 않아요.`,
    others: '신고한 사람을 알 수 있게 되므로 들어 있지 않은 것',
  },
  en: {
    head: `Your data at Mogakgong

Everything that the database held about you when this file was made. Messages of others are not in it.
Times are ISO 8601, lengths of time are in milliseconds (…Ms). A spreadsheet opens the CSV files.`,
    picture: 'picture.webp: your picture, if you uploaded one',
    kept: 'kept',
    withheld: `Not in it: hashes of your password and of log-in tokens (they do not reveal them, and would serve only a
thief of this file), and numbers that the service uses internally. Of your camera nothing is stored, but a picture that a report came with.`,
    others: 'Not in it either, as it would reveal who reported',
  },
} as const;

function readmeIn(language: keyof BothLanguages): string {
  const { head, picture, kept, withheld, others } = texts[language];
  const files = Object.values(personalTables).map((rule) => {
    const names = rule.hasCsv ? `${rule.file}.json, ${rule.file}.csv` : `${rule.file}.json`;
    return `${names}: ${rule.about[language]} (${kept}: ${rule.kept[language]})`;
  });
  const reports = Object.values(withheldTables).map(
    (rule) => `${rule.about[language]} (${kept}: ${rule.kept[language]})`,
  );
  const withoutReports = [`${others}:`, ...reports].join('\n');
  return [head, [picture, ...files].join('\n'), withheld, withoutReports].join('\n\n');
}
