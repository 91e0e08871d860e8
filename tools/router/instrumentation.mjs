// In place of react-router's lib/router/instrumentation.js: the portal passes no `instrumentations` to its router.
export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
export const getRouteInstrumentationUpdates = () => ({});
export const instrumentClientSideRouter = (router) => router;
