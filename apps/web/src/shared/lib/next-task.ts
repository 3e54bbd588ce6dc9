/** What follows runs in a task of its own: presses and frames come in between. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
