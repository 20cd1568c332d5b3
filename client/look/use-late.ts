import { useEffect, useRef, useState } from 'react';

/** Waits this long before saying that something takes time, in milliseconds (document 1, section 9). */
const flicker = 400;
/** Once said, it stays said for this long. */
const least = 1000;

/** True once `on` has lasted, and then for a second at least, so that nothing flickers. */
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
