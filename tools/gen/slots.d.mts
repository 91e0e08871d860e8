export interface Item {
  name: string;
  order: number;
  size?: string;
  rows?: string;
  phoneRows?: string;
}
export interface Slot {
  by: string;
  description: string;
  props: string;
  placed: string[];
  filled: Item[];
}
export function slots(): Record<string, Slot>;
export function layout(): { spans: Record<string, number>; narrow: number; single: number; row: number };
