// Runs before the first paint: the chosen theme and the language of the page (see shared/lib/theme.ts
// and shared/i18n/language.ts). A file of its own because the content policy allows no inline script.
(() => {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem('mogakgong.theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; the system's theme applies.
  }
})();
