import { useEffect, useState } from 'react';

/**
 * Returns a value once it has not changed for the given time (debounce), so that typing sends one request instead of one per
 * letter.
 */
export function useDebounced<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
