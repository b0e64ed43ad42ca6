import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { addChannel, addToken, fakeUpstream } from '@tidegate/testing'
import { expect, it, onTestFinished } from 'vitest'
import { consoleMenu, visit } from '../support/console-page.ts'
import { priceModels, toastWith } from '../support/lists.ts'
import { startConsole } from '../support/start-console.ts'
import { rowWith } from '../support/table.ts'

const WIDE = { viewport: { width: 1440, height: 900 }, locale: 'en-US' } as const
const MODEL = 'exported-model'

const console = startConsole()

it('a webhook gets requests, and failed deliveries again when it accepts them', async () => {
  const receiver = await startReceiver()
  const upstream = await fakeUpstream()
  onTestFinished(() => upstream.close())
  const { site } = console
  await priceModels(site, { [MODEL]: 1.25 })
  await addChannel(site.client, upstream, { name: 'exported', models: MODEL })
  const { secret } = await addToken(site.client)

  const page = await console.admin(WIDE)
  await visit(page, '/app/tokens')
  await consoleMenu(page).getByRole('link', { name: 'Site exports' }).click()
  await page.getByRole('button', { name: 'Add destination' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Kind').click()
  await page.locator('.ant-select-dropdown:visible').getByTitle('Webhook').click()
  await form.getByLabel('Name').fill('warehouse')
  await form.getByLabel('URL').fill(receiver.url)
  await form.getByLabel('Signing secret').fill('whsec_c2VjcmV0')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await rowWith(page, 'warehouse').waitFor()

  await rowWith(page, 'warehouse').getByRole('button', { name: 'More for warehouse' }).click()
  await page.getByRole('menuitem', { name: 'Send a test' }).click()
  await toastWith(page, 'warehouse accepted the test').waitFor()

  receiver.status = 400
  await sendRequest(secret)
  await rowWith(page, 'warehouse').getByRole('button', { name: 'Deliveries of warehouse' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('row').filter({ hasText: 'Failed' }).waitFor()

  receiver.status = 200
  await drawer.getByRole('button', { name: /^Resend delivery/ }).click()
  await toastWith(page, 'Deliveries queued: 1').waitFor()
  await drawer.getByRole('row').filter({ hasText: 'Delivered' }).waitFor()

  const [first, second] = receiver.requests.filter(({ body }) => body.includes(MODEL))
  expect(first!.id).toBe(second!.id)
  expect(first!.body).toBe(second!.body)
})

async function sendRequest(secret: string): Promise<void> {
  const response = await fetch(`${console.site.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'High tide?' }] }),
  })
  await response.text()
  expect(response.status).toBe(200)
}

/** A receiver whose status can be set. */
async function startReceiver() {
  const receiver = { url: '', status: 200, requests: [] as { id: string; body: string }[] }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      receiver.requests.push({ id: String(request.headers['webhook-id']), body })
      response.writeHead(receiver.status).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`
  return receiver
}
