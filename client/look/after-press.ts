let isPressed = false;
const waiting = new Set<() => void>();

function end(): void {
  isPressed = false;
  // The click that the press makes comes first.
  setTimeout(() => {
    for (const work of waiting) work();
    waiting.clear();
  });
}

addEventListener('pointerdown', () => (isPressed = true), true);
for (const type of ['pointerup', 'pointercancel']) addEventListener(type, end, true);

/**
 * Does what may move the page: at once, or, while a pointer is pressed, once the press has ended, as what is under the
 * pointer would move away and hear no click.
 */
export function afterPress(work: () => void): void {
  if (isPressed) waiting.add(work);
  else work();
}
