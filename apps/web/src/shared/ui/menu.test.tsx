import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Menu } from './menu.tsx';
import type { MenuEntry } from './menu-list.tsx';

function open(entries?: Partial<Record<string, Partial<MenuEntry>>>) {
  const onLogout = vi.fn();
  render(
    <>
      <Menu
        label="내 메뉴"
        trigger="민지"
        entries={[
          { key: 'mypage', label: '마이페이지', href: '/mypage', ...entries?.mypage },
          { key: 'statistics', label: '통계', href: '/statistics' },
          { key: 'logout', label: '로그아웃', onSelect: onLogout },
        ]}
      />
      <p>바깥</p>
    </>,
  );
  const button = screen.getByRole('button', { name: '내 메뉴' });
  fireEvent.click(button);
  return { button, onLogout };
}

const focusedName = () => document.activeElement?.textContent;

it('toggles on click and puts the focus on its first entry', () => {
  const { button } = open();
  expect(button.getAttribute('aria-expanded')).toBe('true');
  expect(focusedName()).toBe('마이페이지');
  fireEvent.click(button);
  expect(screen.queryByRole('menu')).toBeNull();
});

it('moves with arrows, Home and End, and wraps around', () => {
  open();
  const menu = screen.getByRole('menu', { name: '내 메뉴' });
  fireEvent.keyDown(menu, { key: 'ArrowUp' });
  expect(focusedName()).toBe('로그아웃');
  fireEvent.keyDown(menu, { key: 'ArrowDown' });
  expect(focusedName()).toBe('마이페이지');
  fireEvent.keyDown(menu, { key: 'End' });
  expect(focusedName()).toBe('로그아웃');
  fireEvent.keyDown(menu, { key: 'Home' });
  expect(focusedName()).toBe('마이페이지');
});

it('closes on Escape and gives the focus back to its button', () => {
  const { button } = open();
  fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(button);
});

it('closes on a press outside', () => {
  open();
  fireEvent.pointerDown(screen.getByText('바깥'));
  expect(screen.queryByRole('menu')).toBeNull();
});

it('follows the link of an entry, and runs its action', () => {
  const { onLogout, button } = open();
  fireEvent.click(screen.getByRole('menuitem', { name: '마이페이지' }));
  expect(location.pathname).toBe('/mypage');
  fireEvent.click(button);
  fireEvent.click(screen.getByRole('menuitem', { name: '로그아웃' }));
  expect(onLogout).toHaveBeenCalledOnce();
});

it('stays open while the page scrolls or changes its size', () => {
  open();
  fireEvent.scroll(document);
  fireEvent(window, new Event('resize'));
  expect(screen.getByRole('menu', { name: '내 메뉴' })).toBeTruthy();
  expect(focusedName()).toBe('마이페이지');
});
