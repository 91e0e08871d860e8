export interface Slot {
  by: string;
  about: string;
  props: string;
  placed: string[];
  filled: string[];
}
export function slots(): Record<string, Slot>;
