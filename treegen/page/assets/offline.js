// $seal
const CACHE = "treegen $name $digest";
const FILES = $files;
const keep = async () => {
  await (await caches.open(CACHE)).addAll(FILES);
  await skipWaiting();
};
const takeOver = async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith("treegen $name ") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
};
const answer = async (request) =>
  (await caches.match(request, { ignoreSearch: true })) ?? fetch(request);
addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(takeOver()));
addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});
