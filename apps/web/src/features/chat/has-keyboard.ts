/** Whether the one who looks has a keyboard at hand: phones open theirs over the messages. */
export function hasKeyboard(): boolean {
  return window.matchMedia('(pointer: fine)').matches;
}
