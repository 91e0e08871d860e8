export interface Field {
  name: string;
  about: string;
}
export interface Named {
  about: string;
  choices?: string[];
  type?: string;
  fields?: Field[];
}
export function program(): object;
export function components(p?: object): Record<string, { about: string; props: (Field & { fields?: Field[] })[] }>;
export function types(p?: object): Record<string, Named>;
