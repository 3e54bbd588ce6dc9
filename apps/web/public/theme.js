// Runs before the first paint of every page: which theme, and is somebody logged in. A file of its
// own because the content policy allows no inline script. Keys: shared/lib/storage-keys.ts.
(() => {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem('mogakgong.theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
    const session = JSON.parse(localStorage.getItem('mogakgong.auth') ?? 'null');
    if (session?.state?.isLoggedIn) root.dataset.session = 'in';
  } catch {
    // Storage may be forbidden: the system's theme, logged out.
  }
})();
