import { createHmac } from 'node:crypto'
import { api } from '@tidegate/contract'
import { createUpstreamClient } from '@tidegate/providers'
import { exportDeliveries } from '@tidegate/storage'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ExportSite, GO_ON, startExportSite } from '../../test/export-site.ts'
import { createExportSender, retryDelay } from './send-deliveries.ts'

let site: ExportSite
beforeAll(async () => {
  site = await startExportSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  site.receiver.respond({})
  ;(site.receiver.received as unknown[]).length = 0
  await site.db.deleteFrom('export_destination').execute()
})

interface Webhook {
  type: string
  data: { delivery: string; requests: { request_id: string; channel?: object; content?: object }[] }
}
const bodies = () => site.receiver.received.map(({ body }) => JSON.parse(body) as Webhook)

describe('a webhook', () => {
  it('gets requests with a signature of the Standard Webhooks specification', async () => {
    const userId = await site.addUser()
    const key = Buffer.from('a secret of the receiver')
    const secrets = { secret: `whsec_${key.toString('base64')}` } as never
    const { id } = await site.addExport({ url: `${site.receiver.url}/in`, secrets })
    await site.serve(userId, ['r1', 'r2'])

    await site.exportAll()

    const [{ headers, body }] = site.receiver.received as [(typeof site.receiver.received)[0]]
    const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.')
    const signature = createHmac('sha256', key).update(signed).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${signature}`)
    expect(headers['webhook-id']).toMatch(new RegExp(`^tidegate-${id}-\\d+$`))
    expect(JSON.parse(body)).toMatchObject({
      type: 'requests.exported',
      data: {
        delivery: headers['webhook-id'],
        requests: [{ request_id: 'r1', model: 'gpt-4o' }, { request_id: 'r2' }],
      },
    })
    expect(await site.exportDeliveries()).toMatchObject([
      { state: 'delivered', records: 2, attempts: 1, response_status: 200, error: '', bytes: body.length },
    ])
  })

  it('gets a delivery again with the same ID and rows when the sender dies before it stores the result', async () => {
    const userId = await site.addUser()
    await site.addExport({ url: site.receiver.url })
    await site.serve(userId, ['r1'])
    await site.plan(GO_ON)
    await site.skipExportWaits()
    const [claimed] = await exportDeliveries.claimDue(site.db, { ofUsers: false, limit: 1 })
    expect(claimed).toMatchObject({ state: 'sending', attempts: 1 })
    await site.serve(userId, ['r2'])

    await site.exportAll()

    expect(bodies().map(({ data }) => data)).toMatchObject([
      { delivery: `tidegate-${claimed!.destination_id}-${claimed!.id}`, requests: [{ request_id: 'r1' }] },
      { requests: [{ request_id: 'r2' }] },
    ])
  })

  it('is tried again with growing delays, then fails, and is sent again on request', async () => {
    const userId = await site.addUser()
    const { id } = await site.addExport({ url: site.receiver.url })
    site.receiver.respond({ status: 503, body: 'down' })
    await site.serve(userId, ['r1'])
    await site.plan(GO_ON)

    for (let attempt = 0; attempt < 12; attempt += 1) {
      await site.skipExportWaits()
      await site.send()
    }
    const [failed] = await site.exportDeliveries()
    expect(failed).toMatchObject({ state: 'failed', attempts: 12, response_status: 503, response_body: 'down' })
    expect((await site.root.call(api.listExports, {})).items).toMatchObject([
      { id, state: 'failing', failed: 1, open: 0, last_error: expect.stringContaining('503') },
    ])
    const ids = new Set(site.receiver.received.map(({ headers }) => headers['webhook-id']))
    expect(ids.size).toBe(1)

    site.receiver.respond({})
    await site.root.call(api.retryExportDelivery, { path: { id: failed!.id } })
    await site.send()

    expect(await site.exportDeliveries()).toMatchObject([{ id: failed!.id, state: 'delivered', error: '' }])
    expect(site.receiver.received.at(-1)!.headers['webhook-id']).toBe([...ids][0])
  })

  it('pauses its destination after an error of the server, and fails at once if its content is not accepted', async () => {
    const userId = await site.addUser()
    const { id } = await site.addExport({ url: site.receiver.url })
    await site.serve(userId, ['r1'])
    site.receiver.respond({ status: 400 })
    await site.exportAll()
    expect(await site.exportDeliveries()).toMatchObject([{ state: 'failed', attempts: 1 }])

    site.receiver.respond({ status: 500, headers: { 'retry-after': '120' } })
    await site.serve(userId, ['r2'])
    await site.exportAll()
    await site.send()

    const [{ retry_at }] = (await site.root.call(api.listExports, {})).items as [api.ExportDestination]
    expect(Date.parse(retry_at!) - Date.now()).toBeGreaterThan(100_000)
    expect(await site.exportDeliveries()).toMatchObject([{ state: 'pending', attempts: 1 }, { state: 'failed' }])
    expect(await site.root.call(api.retryExport, { path: { id } })).toBe(1)
  })

  it('does not wait for a destination that is slow', async () => {
    const userId = await site.addUser()
    const slow = await site.addExport({ url: site.receiver.url, name: 'slow' })
    await site.serve(userId, ['r1'])
    await site.plan(GO_ON)
    await site.skipExportWaits()
    site.receiver.respond({ hang: true })
    const sender = createExportSender(site.deps)
    await sender.startDue()
    await expect.poll(() => site.receiver.received.length).toBe(1)

    site.receiver.respond({})
    await site.addExport({ url: site.receiver.url, name: 'fast' })
    await site.serve(userId, ['r2'])
    await site.plan(GO_ON)
    const due = { next_attempt_at: new Date(Date.now() - 1_000) }
    await site.db.updateTable('export_delivery').set(due).where('state', '=', 'pending').execute()
    await site.send()

    const states = (await site.exportDeliveries()).map(({ destination_id, state }) => [
      destination_id === slow.id,
      state,
    ])
    expect(states).toEqual(
      expect.arrayContaining([
        [true, 'sending'],
        [true, 'pending'],
        [false, 'delivered'],
      ]),
    )
  })

  it('fails with a reason when its log rows were removed', async () => {
    const userId = await site.addUser()
    await site.addExport({ url: site.receiver.url })
    await site.serve(userId, ['r1'])
    await site.plan(GO_ON)
    await site.db.deleteFrom('usage_log').execute()

    await site.exportAll()

    expect(site.receiver.received).toEqual([])
    expect(await site.exportDeliveries()).toMatchObject([{ state: 'failed', error: expect.stringContaining('日志') }])
  })

  it('contains prompts only if the destination includes them and the site stored them', async () => {
    const userId = await site.addUser()
    await site.addExport({ url: site.receiver.url, name: 'metadata' })
    await site.addExport({ url: site.receiver.url, name: 'all', options: { include_content: true } as never })
    await site.serve(userId, ['stored', 'not stored'])
    await site.db
      .insertInto('chat_content')
      .values({ request_id: 'stored', user_id: userId, input_content: 'my prompt', output_content: 'my response' })
      .execute()

    await site.exportAll()

    const [metadata, all] = bodies().toSorted((a, b) => a.data.delivery.localeCompare(b.data.delivery))
    expect(JSON.stringify(metadata)).not.toContain('my prompt')
    expect(all!.data.requests).toMatchObject([{ content: { input: 'my prompt', output: 'my response' } }, {}])
    expect(all!.data.requests[1]).not.toHaveProperty('content')
  })
})

describe('a destination of the site', () => {
  it('is not sent to private addresses unless the operator allows them', async () => {
    const userId = await site.addUser()
    await site.addExport({ url: site.receiver.url })
    await site.serve(userId, ['r1'])
    await site.plan(GO_ON)
    await site.skipExportWaits()
    const guarded = createUpstreamClient()

    const sender = createExportSender({
      ...site.deps,
      upstream: guarded,
      site: { ...site.deps.site, allowPrivateFetches: false },
    })
    await sender.startDue()
    await sender.idle()

    expect(site.receiver.received).toEqual([])
    expect(await site.exportDeliveries()).toMatchObject([{ state: 'failed', attempts: 1 }])
    await guarded.close()
  })
})

it('doubles the delay up to an hour, with jitter, and respects Retry-After', () => {
  const middle = () => 0.5
  expect([1, 2, 3, 20].map((attempts) => retryDelay(attempts, 0, middle))).toEqual([10, 20, 40, 3600])
  expect(retryDelay(1, 0, () => 0)).toBe(8)
  expect(retryDelay(1, 90, middle)).toBe(90)
  expect(retryDelay(1, 1e9, middle)).toBe(3600)
})
