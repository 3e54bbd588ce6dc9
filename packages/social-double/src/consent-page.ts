const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/gu, (letter) => escapes[letter] ?? letter);

/** The page for choosing a person; its form goes to `consent` with the whole request. */
export function consentPage(company: string, action: string, request: URLSearchParams): string {
  const hidden = [...request].map(
    ([name, value]) =>
      `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return `<!doctype html>
<html lang="ko">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>${company} (개발용 대역)</title>
<style>
  body { margin: 10vh auto; max-width: 26rem; padding: 0 1rem; font: 1rem/1.6 system-ui; }
  form, label { display: grid; gap: 0.75rem; }
  .check { display: flex; }
  .note { border: 2px dashed; padding: 0.75rem; }
  input, button { font: inherit; padding: 0.5rem; }
</style>
<main>
  <h1>${company}</h1>
  <p class="note">개발용 대역이에요. 진짜 ${company}이(가) 아니에요.<br>
    <span lang="en">A development double: this is not ${company}.</span></p>
  <form action="${escapeHtml(action)}">
    ${hidden.join('\n    ')}
    <label>이름 <input name="name" value="김하늘" required></label>
    <label>이메일 (비우면 제공하지 않음) <input name="email" value="haneul@example.org"></label>
    <label class="check"><input type="checkbox" name="verified" checked> 이메일이 확인됨</label>
    <button>동의하고 계속하기</button>
    <button name="decline" value="on" formnovalidate>취소</button>
  </form>
</main>
</html>`;
}
