/** Returns a remote's code without the parts that only its manifest needs. */
export function codeOnly(code: string): string;
export default function loader(code: string): string;
