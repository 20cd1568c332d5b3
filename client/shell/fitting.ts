import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/**
 * Gives how many of the first `count` children of a row fit into it; its last child is what holds the others, and takes
 * room where there are others. Follows the sizes of the row and its children.
 */
export function useFitting(count: number): { readonly row: RefObject<HTMLElement | null>; readonly fitting: number } {
  const row = useRef<HTMLElement>(null);
  const [fitting, setFitting] = useState(count);
  useLayoutEffect(() => {
    const { current } = row;
    if (!current) return;
    const measure = () => {
      const gap = Number.parseFloat(getComputedStyle(current).columnGap) || 0;
      const widths = [...current.children].map(child => (child as HTMLElement).offsetWidth + gap);
      const rest = widths.pop() ?? 0;
      const room = current.clientWidth + gap;
      const fitInto = (most: number): number => {
        let used = 0;
        let fit = 0;
        for (const width of widths) {
          used += width;
          if (used > most) break;
          fit += 1;
        }
        return fit;
      };
      setFitting(fitInto(room) === count ? count : fitInto(room - rest));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const element of [current, ...current.children]) observer.observe(element);
    return () => observer.disconnect();
  }, [count]);
  return { row, fitting };
}
