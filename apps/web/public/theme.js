// See shared/lib/theme.ts.
(() => {
  const root = document.documentElement;
  // The font is as large as half of the scripts: on a slow network text has one of the device.
  const { effectiveType = '4g', saveData = false } = navigator.connection ?? {};
  const isSlow = saveData || effectiveType !== '4g';
  const href = document.currentScript?.dataset.font;
  root.toggleAttribute('data-slow', isSlow);
  if (href && !isSlow) {
    const link = { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: '', href };
    document.head.append(Object.assign(document.createElement('link'), link));
  }
  const frames = document.querySelectorAll('meta[name="theme-color"]');
  const colors = [...frames].map((meta) => meta.content);
  // The browser's own bar: as the page, which follows the system where nothing else is said.
  const showColor = () => {
    const theme = root.dataset.theme ?? (root.hasAttribute('data-room') ? 'dark' : 'system');
    frames.forEach((meta, index) => {
      meta.content = colors[['light', 'dark'].indexOf(theme)] ?? colors[index];
    });
  };
  const markRoom = () =>
    root.toggleAttribute('data-room', location.pathname.startsWith('/studyroom/'));
  for (const type of ['popstate', 'pushState', 'replaceState']) addEventListener(type, markRoom);
  markRoom();
  try {
    const theme = localStorage.getItem('mogakgong.theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
    const session = JSON.parse(localStorage.getItem('mogakgong.auth') ?? 'null');
    if (session?.state?.isLoggedIn) root.dataset.session = 'in';
    const seat = JSON.parse(sessionStorage.getItem('mogakgong.seat') ?? 'null');
    const isRoomOfSeat = location.pathname === `/studyroom/${seat?.roomId}`;
    if (seat) root.dataset.seated = isRoomOfSeat ? 'here' : 'elsewhere';
  } catch {
    // No storage.
  }
  // Before the application is there, the pages about logging in do not know where the reader wanted to go.
  addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-not-started] button')) location.reload();
    const link = target instanceof Element && target.closest('[data-ahead] main a');
    const next = new URLSearchParams(location.search).get('next');
    if (link && /^\/(?![/\\])/u.test(next)) link.search = new URLSearchParams({ next });
  });
  // The application does not start: its code cannot be had, or takes longer than others wait (waiting.tsx).
  const sayNotStarted = () =>
    document.querySelector('[data-not-started]')?.removeAttribute('hidden');
  addEventListener('error', ({ target }) => target.src?.endsWith('.js') && sayNotStarted(), true);
  setTimeout(sayNotStarted, 10_000);
  showColor();
  new MutationObserver(showColor).observe(root, { attributeFilter: ['data-theme', 'data-room'] });
})();
