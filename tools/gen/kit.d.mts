export interface Field {
  name: string;
  description: string;
}
export interface Named {
  description: string;
  choices?: string[];
  type?: string;
  fields?: Field[];
}
export function program(): object;
export function components(p?: object): Record<string, { description: string; props: (Field & { fields?: Field[] })[] }>;
export function types(p?: object): Record<string, Named>;
