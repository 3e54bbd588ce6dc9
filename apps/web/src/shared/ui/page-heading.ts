/**
 * Puts the focus on the heading of the page that has just appeared, so that keys and screen readers
 * start there; a page that took the focus itself keeps it.
 */
export function focusPageHeading(): void {
  const active = document.activeElement;
  if (active?.closest('main *, dialog') != null) return;
  const heading = document.querySelector<HTMLElement>('main h1');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.style.outline = 'none';
  heading.focus({ preventScroll: true });
}
