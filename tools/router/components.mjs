// In place of react-router's lib/dom/ssr/components.js, whose parts are for pages that react-router renders on a server. The
// portal has none, so its links get the answer that they would get there: nothing is prefetched.
import { createContext } from 'react';

export const FrameworkContext = /* @__PURE__ */ createContext(undefined);
export const usePrefetchBehavior = () => [false, null, {}];
export const PrefetchPageLinks = () => null;
export const mergeRefs = (ref) => ref;
