/** A remote's code without what only its manifest needs. */
export function codeOnly(code: string): string;
export default function loader(code: string): string;
