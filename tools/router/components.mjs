// In place of react-router's lib/dom/ssr/components.js, whose parts are for pages that react-router renders on a server. The
// portal has none, so its links get the same answer as there without such a page: nothing is prefetched (9-router-parts).
import { createContext } from 'react';

export const FrameworkContext = /* @__PURE__ */ createContext(undefined);
export const usePrefetchBehavior = () => [false, null, {}];
export const PrefetchPageLinks = () => null;
export const mergeRefs = (ref) => ref;
