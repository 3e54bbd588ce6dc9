import type { Page } from '@playwright/test';
import { expect } from './journey.ts';

/** The panel of the chat. */
export const panelOf = (page: Page) => page.getByRole('region', { name: /^스터디룸 채팅/u });
/** The field of a new message. */
export const inputOf = (page: Page) => page.getByRole('textbox', { name: '메시지' });
/** The messages. */
export const logOf = (page: Page) => page.getByRole('log');
/** The bubbles of the log that say exactly this. */
export const saying = (page: Page, text: string) => logOf(page).getByText(text, { exact: true });
/** The connection status of the panel. */
export const connectionOf = (page: Page) => panelOf(page).locator('[data-chat-connection]');

/** Opens the chat, where it is not open since before a reload. */
export async function openChat(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^채팅 열기/u });
  await expect(button.or(panelOf(page))).toBeVisible();
  if (await button.isVisible()) await button.click();
  await expect(connectionOf(page)).toHaveAttribute('data-chat-connection', 'connected');
}

/** Writes a message and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  await inputOf(page).fill(text);
  await inputOf(page).press('Enter');
}

/** Waits until a message is in the log once, and confirmed. */
export async function expectSaid(page: Page, text: string): Promise<void> {
  await expect(saying(page, text)).toHaveCount(1);
  await expect(logOf(page).locator('[data-outgoing]')).toHaveCount(0);
}

/** The bubble that says exactly this, and what hangs on it. */
export const bubbleOf = (page: Page, text: string) =>
  logOf(page)
    .locator('article')
    .filter({ has: page.getByText(text, { exact: true }) });

/** Chooses a reaction or the reply in the menu of another learner's message. */
export async function answer(page: Page, text: string, entry: string): Promise<void> {
  const bubble = bubbleOf(page, text);
  await bubble.hover();
  await bubble.getByRole('button', { name: /메시지에 반응·답장$/u }).click();
  await page
    .getByRole('menu')
    .getByRole(entry === '답장' ? 'menuitem' : 'menuitemradio', { name: entry })
    .click();
}

/** A reaction below a message, by its name. */
export const chipOf = (page: Page, name: string) =>
  logOf(page).getByRole('button', { name, exact: true });
