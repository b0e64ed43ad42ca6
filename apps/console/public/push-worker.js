// Shows push notifications and opens their links. It handles no other event: pages and requests are never cached.
self.addEventListener('push', (event) => {
  event.waitUntil(show(event.data))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data))
})

async function show(data) {
  const { title, body, path, tag } = read(data)
  // Only a window that this worker controls can be navigated; those opened before its installation are not.
  await self.clients.claim()
  await self.registration.showNotification(title, { body, tag, icon: '/logo.png', badge: '/logo.png', data: path })
}

/** Browsers require a notification for every push, so an unreadable one shows the address of the site. */
function read(data) {
  const plain = { title: self.location.host, body: '', path: '/', tag: 'push' }
  try {
    return { ...plain, ...data.json() }
  } catch {
    return plain
  }
}

/** Opens a path of this site in a window that exists, or in a new one. */
async function open(path) {
  const { origin } = self.location
  const target = URL.canParse(path, origin) ? new URL(path, origin) : new URL(origin)
  const address = target.origin === origin ? target.href : origin
  const [existing] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  try {
    await existing.focus().catch(() => {}) // browsers may deny it a while after the click
    await existing.navigate(address)
  } catch {
    await self.clients.openWindow(address)
  }
}
