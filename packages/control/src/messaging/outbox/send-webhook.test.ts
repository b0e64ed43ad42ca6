import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { readSettings } from '@tidegate/contract'
import { createUpstreamClient } from '@tidegate/providers'
import { startWebhookReceiver, type WebhookReceiver } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { sendWebhook, type WebhookRequest } from './send-webhook.ts'

const closing: (() => Promise<unknown>)[] = []
let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  closing.push(() => receiver.close())
})
beforeEach(() => receiver.respond({}))
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

const NOW = new Date('2030-01-01T00:00:07Z')
const MADE = new Date('2030-01-01T00:00:00Z')
const NOTIFICATION = { type: 'quota_exceed', title: '余额', content: '{{value}} left', values: ['$0.98'] }

function client(allowPrivateAddresses: boolean) {
  const made = createUpstreamClient({ allowPrivateAddresses })
  closing.push(() => made.close())
  return made
}
const insideClient = client(true)
const guardedClient = client(false)

/** Allows webhooks on this machine, for tests only. */
function send(call: Partial<WebhookRequest> = {}, options: Record<string, string> = {}) {
  const deps = {
    webhookClient: insideClient,
    upstream: insideClient,
    catalog: () => ({ settings: readSettings(new Map(Object.entries(options))) }) as never,
    now: () => NOW,
    site: { allowPrivateFetches: true } as never,
  }
  return sendWebhook(deps, {
    url: `${receiver.url}/in?x=1`,
    secret: 's3cret',
    bearer: false,
    id: 42,
    notification: NOTIFICATION,
    createdAt: MADE,
    ...call,
  })
}

/** Like production; the first check can be skipped to test the second. */
function sendGuarded(url: string, { skipFirstCheck = false } = {}) {
  const deps = {
    webhookClient: guardedClient,
    upstream: guardedClient,
    catalog: () => ({ settings: readSettings(new Map()) }) as never,
    now: () => NOW,
    site: { allowPrivateFetches: skipFirstCheck } as never,
  }
  return sendWebhook(deps, {
    url,
    secret: undefined,
    bearer: false,
    id: 1,
    notification: NOTIFICATION,
    createdAt: MADE,
  })
}

const hmac = (content: string) => createHmac('sha256', 's3cret').update(content).digest('hex')

describe('a webhook', () => {
  it('is posted with its placeholders, an id and signatures with and without timestamp', async () => {
    receiver.respond({ status: 202, body: 'thanks' })

    const attempt = await send()

    expect(attempt).toEqual({ error: '', responseStatus: 202, responseBody: 'thanks' })
    const { method, path, headers, body } = receiver.received.at(-1)!
    expect([method, path]).toEqual(['POST', '/in?x=1'])
    expect(JSON.parse(body)).toEqual({ ...NOTIFICATION, timestamp: MADE.getTime() / 1000 })
    expect(JSON.stringify(headers)).not.toContain('s3cret')
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-webhook-id': '42',
      'x-webhook-timestamp': String(NOW.getTime() / 1000),
      'x-webhook-signature': hmac(body),
      'x-webhook-timestamped-signature': hmac(`${NOW.getTime() / 1000}.${body}`),
    })
  })

  it('sends the secret as a bearer token if chosen', async () => {
    await send({ bearer: true })

    expect(receiver.received.at(-1)!.headers).toMatchObject({ authorization: 'Bearer s3cret' })
  })

  it('has no signature or token without a secret', async () => {
    await send({ secret: undefined, bearer: true })

    const { headers } = receiver.received.at(-1)!
    expect(Object.keys(headers).filter((name) => /auth|signature/.test(name))).toEqual([])
  })

  it('stores the beginning of a long response and reads no more', async () => {
    receiver.respond({ status: 500, body: `\u0000é${'漫'.repeat(200_000)}` })

    const { error, responseStatus, responseBody } = await send()

    expect([error, responseStatus]).toEqual(['refused', 500])
    expect(responseBody).toMatch(/^é漫+$/)
    expect(Buffer.byteLength(responseBody!)).toBeLessThanOrEqual(2048)
  })

  it('does not follow redirects', async () => {
    const other = await startWebhookReceiver()
    closing.push(() => other.close())
    receiver.respond({ status: 307, headers: { location: `${other.url}/secret` } })

    expect(await send()).toMatchObject({ error: 'redirected', responseStatus: 307 })
    expect(other.received).toEqual([])
  })

  it('times out after five seconds', async () => {
    const deadline = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(deadline.signal)
    onTestFinished(() => timeout.mockRestore())
    const before = receiver.received.length
    receiver.respond({ hang: true })

    const attempt = send()
    await expect.poll(() => receiver.received.length).toBe(before + 1)
    deadline.abort()

    expect(await attempt).toEqual({ error: 'timeout' })
    expect(timeout).toHaveBeenCalledWith(5_000)
  })

  it('reports an unreachable receiver', async () => {
    expect(await send({ url: 'https://127.0.0.1:1/' })).toEqual({ error: 'unreachable' })
  })

  it('uses the worker if configured, with the same headers and body', async () => {
    const forwarded: { url: string; key: string; method: string; headers: Record<string, string>; body: object }[] = []
    const worker = createServer((request, response) => {
      void text(request).then((body) => {
        forwarded.push(JSON.parse(body))
        response.end('by the worker')
      })
    }).listen(0, '127.0.0.1')
    await once(worker, 'listening')
    closing.push(async () => worker.close())
    const before = receiver.received.length

    const { port } = worker.address() as AddressInfo
    const attempt = await send(
      { bearer: true },
      { WorkerUrl: `http://127.0.0.1:${port}`, WorkerValidKey: 'worker-key' },
    )

    expect(attempt).toMatchObject({ error: '', responseBody: 'by the worker' })
    const [first] = forwarded
    expect(first).toMatchObject({ url: `${receiver.url}/in?x=1`, key: 'worker-key', method: 'POST' })
    expect(first!.headers).toMatchObject({
      Authorization: 'Bearer s3cret',
      'X-Webhook-Signature': hmac(JSON.stringify(first!.body)),
    })
    expect(receiver.received.length).toBe(before)
  })
})

describe('a private address', () => {
  it.each([
    'http://hooks.example/',
    'https://hooks.example:8443/',
    'https://name:word@hooks.example/',
    'https://localhost/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00:ec2::254]/latest/meta-data',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::7f00:1]/',
  ])('is rejected before connecting: %s', async (url) => {
    expect(await sendGuarded(url)).toEqual({ error: 'address_invalid', isFinal: true })
  })

  // Older rows, or names that resolve differently now, are rejected by the guard of the connection.
  it.each([
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.100.100.200/latest/meta-data',
    'https://[::1]/',
    'https://[::]/',
    'https://[::7f00:1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[::ffff:7f00:1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://localhost/',
  ])('is rejected when connecting: %s', async (url) => {
    expect(await sendGuarded(url, { skipFirstCheck: true })).toEqual({ error: 'private_address' })
  })

  it('is not reached by a redirect', async () => {
    receiver.respond({ status: 302, headers: { location: 'https://169.254.169.254/latest/meta-data' } })

    expect(await send()).toMatchObject({ error: 'redirected', responseStatus: 302 })
  })
})
