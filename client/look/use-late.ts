import { useEffect, useRef, useState } from 'react';

/** Waits this long before saying that something takes time, in milliseconds (document 1, section 9). */
const flicker = 400;
/** Once said, it stays said for this long. */
const least = 1000;

/** Hook against flicker of loading signs: true once `on` has been true for 400 ms, and then for at least a second. */
export function useLate(on: boolean): boolean {
  const [shown, setShown] = useState(false);
  const since = useRef(0);
  useEffect(() => {
    if (on === shown) return;
    const wait = on ? flicker : Math.max(0, since.current + least - performance.now());
    const timer = setTimeout(() => {
      since.current = performance.now();
      setShown(on);
    }, wait);
    return () => clearTimeout(timer);
  }, [on, shown]);
  return shown;
}
