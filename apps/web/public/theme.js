// See shared/lib/theme.ts.
(() => {
  const root = document.documentElement;
  const markRoom = () =>
    root.toggleAttribute('data-room', location.pathname.startsWith('/studyroom/'));
  for (const type of ['popstate', 'pushState', 'replaceState']) addEventListener(type, markRoom);
  markRoom();
  try {
    const theme = localStorage.getItem('mogakgong.theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
    const session = JSON.parse(localStorage.getItem('mogakgong.auth') ?? 'null');
    if (session?.state?.isLoggedIn) root.dataset.session = 'in';
  } catch {
    // No storage.
  }
})();
