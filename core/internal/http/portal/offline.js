// Keeps the page that is shown without a connection; data of the portal is not kept on the device (9-offline-page).
const page = PAGE;
const cache = 'offline-VERSION';
self.addEventListener('install', (e) => {
  const kept = caches.open(cache).then((c) => c.add(new Request(page, { cache: 'reload' })));
  e.waitUntil(kept.then(() => self.skipWaiting()));
});
self.addEventListener('activate', (e) => {
  const former = caches.keys().then((all) => Promise.all(all.filter((name) => name !== cache).map((name) => caches.delete(name))));
  e.waitUntil(Promise.all([former, self.registration.navigationPreload?.enable()]));
});
self.addEventListener('fetch', (e) => {
  if (e.request.mode !== 'navigate') return;
  const answer = Promise.resolve(e.preloadResponse).then((early) => early ?? fetch(e.request));
  e.respondWith(answer.catch(async () => (await caches.match(page)) ?? Response.error()));
});
