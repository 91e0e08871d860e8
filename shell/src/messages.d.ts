// Written by `npm run messages`; absent before the first build.
declare module '*/messages/compiled/nl.json' {
  const texts: Record<string, unknown>;
  export default texts;
}
declare module '*/messages/compiled/en.json' {
  const texts: Record<string, unknown>;
  export default texts;
}
declare module '*/messages/compiled/nl.slots.json' {
  const texts: Record<string, unknown>;
  export default texts;
}
declare module '*/messages/compiled/en.slots.json' {
  const texts: Record<string, unknown>;
  export default texts;
}
declare module '*/messages/compiled/nl.later.json' {
  const texts: Record<string, unknown>;
  export default texts;
}
declare module '*/messages/compiled/en.later.json' {
  const texts: Record<string, unknown>;
  export default texts;
}
