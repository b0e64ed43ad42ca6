import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeBrowserPush, startWebhookReceiver, type WebhookReceiver } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Page, Worker } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { currentPath, visit } from './support/console-page.ts'
import { addOrdinaryUser } from './support/site.ts'
import { startConsole } from './support/start-console.ts'

let directory: string
let trusted: string
let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  directory = await mkdtemp(join(tmpdir(), 'tidegate-push-'))
  trusted = join(directory, 'receiver.pem')
  await writeFile(trusted, receiver.certificate)
})
afterAll(async () => {
  await receiver?.close()
  await rm(directory, { recursive: true, force: true })
})

const console = startConsole({
  env: () => ({ TIDEGATE_ALLOW_PRIVATE_FETCHES: 'true', NODE_EXTRA_CA_CERTS: trusted }),
})

/** The globals of a service worker that the tests use. */
interface WorkerScope extends EventTarget {
  ExtendableEvent: typeof Event
  ServiceWorkerRegistration: { prototype: { showNotification: unknown } }
  shown: unknown[]
}

/** Headless Chromium denies notifications and has no push service: the subscription points to the receiver. */
async function usePushService(page: Page, browser: ReturnType<typeof fakeBrowserPush>): Promise<void> {
  await page.addInitScript(({ endpoint, keys }) => {
    const decode = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
        .buffer
    const subscription = {
      endpoint,
      options: {},
      getKey: (name: 'p256dh' | 'auth') => decode(keys[name]),
      async unsubscribe() {
        sessionStorage.removeItem('subscribed')
        return true
      },
    }
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    PushManager.prototype.subscribe = async () => {
      sessionStorage.setItem('subscribed', 'yes')
      return subscription as unknown as PushSubscription
    }
    PushManager.prototype.getSubscription = async () =>
      sessionStorage.getItem('subscribed') ? (subscription as unknown as PushSubscription) : null
  }, browser.subscription)
}

/** The service worker of the page. */
async function workerOf(page: Page): Promise<Worker> {
  return page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'))
}

/** Delivers a message to the service worker as a push service would, and returns the notification that it shows. */
async function deliverPush(page: Page, origin: string, data: string): Promise<unknown> {
  const worker = await workerOf(page)
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope
    scope.shown = []
    scope.ServiceWorkerRegistration.prototype.showNotification = async (title: string, options: object) =>
      void scope.shown.push({ title, ...options })
  })
  const devtools = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`)
      if (own) resolve(own.registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data })
  const shown = () => worker.evaluate(() => (globalThis as unknown as WorkerScope).shown)
  await expect.poll(async () => (await shown()).length).toBe(1)
  return (await shown())[0]
}

/** DevTools cannot click a notification: the service worker gets the event that a click would cause. */
async function clickNotification(page: Page, path: string): Promise<void> {
  await (
    await workerOf(page)
  ).evaluate((data) => {
    const scope = globalThis as unknown as WorkerScope
    const event = new scope.ExtendableEvent('notificationclick')
    scope.dispatchEvent(Object.assign(event, { notification: { close() {}, data } }))
  }, path)
}

it('sends encrypted notifications to a browser, opens their links, and stops when the user logs out', async () => {
  const user = await addOrdinaryUser(console.site, 'lin')
  const origin = console.site.server.url
  const browser = fakeBrowserPush(`${receiver.url}/push/of-lin`)
  const page = await console.member(user, { locale: 'en-US' })
  await page.context().grantPermissions(['notifications'], { origin })
  await usePushService(page, browser)
  await visit(page, '/app/me?tab=notifications')
  const section = page.getByRole('region', { name: 'Push notifications' })
  const toggle = section.getByRole('switch', { name: 'Receive notifications on this device' })

  await toggle.click()
  await section.getByText('On for this device.').waitFor()
  await section.getByRole('listitem').getByText('This device').waitFor()
  await section.getByRole('button', { name: 'Send test notification' }).click()
  await page.getByText('Sent. The notification appears on this device shortly.').waitFor()

  const [push] = receiver.received
  expect(push).toMatchObject({ path: '/push/of-lin', headers: { 'content-encoding': 'aes128gcm' } })
  const payload = browser.read(push!.bytes) as Record<'title' | 'body' | 'path' | 'tag', string>
  expect(payload).toMatchObject({ title: 'Test notification', path: '/app/inbox' })

  const shown = await deliverPush(page, origin, JSON.stringify(payload))
  expect(shown).toMatchObject({ title: payload.title, body: payload.body, data: payload.path, tag: payload.tag })

  await clickNotification(page, payload.path)
  await expect.poll(() => currentPath(page)).toBe('/app/inbox')

  await page.getByRole('banner').getByRole('button', { name: 'lin' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/login')
  const { rows } = await sql`select id from push_subscription`.execute(console.site.db)
  expect(rows).toEqual([])
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('subscribed'))).toBeNull()
})
