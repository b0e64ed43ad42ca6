import { api } from '@tidegate/contract'
import { apiClient, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ExportSite, startExportSite } from '../../test/export-site.ts'

let site: ExportSite
let user: ApiClient & { username: string }
let userId: number
beforeAll(async () => {
  site = await startExportSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  site.receiver.respond({})
  ;(site.receiver.received as unknown[]).length = 0
  await site.db.deleteFrom('export_destination').execute()
  user = await site.signedIn('user')
  userId = await idOf(user)
})

async function idOf({ username }: { username: string }): Promise<number> {
  const row = await site.db.selectFrom('user').select('id').where('username', '=', username).executeTakeFirstOrThrow()
  return row.id
}

const hook = (input: Partial<api.NewExport> = {}) => ({
  body: { kind: 'webhook' as const, name: 'mine', url: site.receiver.url, ...input },
})
const sent = () => site.receiver.received.map(({ body }) => body).join('\n')

describe('a destination of a user', () => {
  it('gets only their own requests, without channels, keys, costs and attempts', async () => {
    const other = await site.addUser()
    await user.call(api.createOwnExport, hook())
    const other_details = {
      is_model_mapped: true,
      upstream_model_name: 'secret-upstream-model',
      channel_id: 77,
      channel_name: 'secret-channel',
      admin_info: { use_channel: ['77'], attempts: [{ channel: 77, reason: 'secret-reason' }], decision: {} },
      upstream_cost: 12345,
      cache_tokens: 4,
    }
    await site.serve(other, ['of another user'])
    await site.serve(userId, ['mine'], { log: { channelId: 77, other: other_details } })
    await site.serve(userId, ['my failure'], {
      log: { type: 6, channelId: 77, other: { ...other_details, error_code: 'no' } },
    })

    await site.exportAll()

    expect(sent()).toContain('"mine"')
    expect(sent()).toContain('"my failure"')
    for (const secret of ['of another user', 'secret-', 'channel', 'admin_info', 'upstream', '12345']) {
      expect(sent()).not.toContain(secret)
    }
  })

  it.each(['otlp', 'langfuse', 's3'] as const)('hides the same in the format %s', async (kind) => {
    const secrets = { public_key: 'pk', secret_key: 'sk', access_key_id: 'id', secret_access_key: 'key', headers: '' }
    const options = { bucket: 'logs', signals: ['traces', 'metrics', 'logs'] } as never
    await user.call(api.createOwnExport, hook({ kind, secrets: secrets as never, options }))
    const other = { upstream_model_name: 'secret-upstream', channel_name: 'secret-channel' }
    await site.serve(userId, ['mine'], { log: { channelId: 77, other } })

    await site.exportAll()

    const { gunzipSync } = await import('node:zlib')
    const text = site.receiver.received.map(({ bytes }) => gunzipSync(bytes).toString()).join('\n')
    expect(text).toContain('gpt-4o')
    expect(text).not.toContain('secret-')
    expect(text).not.toMatch(/channel/)
  })

  it('belongs to its user alone', async () => {
    const otherUser = await site.signedIn('user')
    const { id } = await user.call(api.createOwnExport, hook())
    await site.serve(userId, ['mine'])
    site.receiver.respond({ status: 400 })
    await site.exportAll()
    const { items } = await user.call(api.listOwnExportDeliveries, { query: {} })
    expect(items).toMatchObject([{ state: 'failed' }])

    for (const client of [otherUser, site.root]) {
      expect((await client.call(api.listOwnExports, {})).items).toEqual([])
      expect((await client.call(api.listOwnExportDeliveries, { query: { destination: id } })).items).toEqual([])
      const { body } = hook({ url: 'https://elsewhere.example/' })
      await expect(client.call(api.updateOwnExport, { path: { id }, body })).rejects.toThrow('export_not_found')
      await expect(client.call(api.deleteOwnExport, { path: { id } })).rejects.toThrow('export_not_found')
      await expect(client.call(api.testOwnExport, { path: { id } })).rejects.toThrow('export_not_found')
      await expect(client.call(api.retryOwnExport, { path: { id } })).rejects.toThrow('export_not_found')
      await expect(client.call(api.retryOwnExportDelivery, { path: { id: items[0]!.id } })).rejects.toThrow(
        'export_delivery_not_found',
      )
    }
    await expect(site.root.call(api.deleteExport, { path: { id } })).rejects.toThrow('export_not_found')
  })

  it('never returns credentials, and does not send them to a new host', async () => {
    const secrets = { headers: 'authorization: Bearer top-secret' } as never
    const { id } = await user.call(api.createOwnExport, hook({ kind: 'otlp', secrets }))

    const list = await user.call(api.listOwnExports, {})
    expect(list.items).toMatchObject([{ secrets: ['headers'] }])
    expect(JSON.stringify(list)).not.toContain('top-secret')
    const [row] = await site.db.selectFrom('export_destination').selectAll().execute()
    expect(JSON.stringify(row)).not.toContain('top-secret')

    const elsewhere = { name: 'mine', url: 'https://93.184.216.34/' }
    await expect(user.call(api.updateOwnExport, { path: { id }, body: elsewhere })).rejects.toThrow(
      'export_secrets_needed',
    )
    const samePlace = { name: 'renamed', url: `${site.receiver.url}/otlp` }
    expect(await user.call(api.updateOwnExport, { path: { id }, body: samePlace })).toMatchObject({ name: 'renamed' })
    await site.serve(userId, ['mine'])
    await site.exportAll()
    expect(site.receiver.received).toMatchObject([
      { path: '/otlp/v1/traces', headers: { authorization: 'Bearer top-secret' } },
    ])
  })

  it('is limited in number, also by concurrent requests', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => user.call(api.createOwnExport, hook())))

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(api.MAX_EXPORTS.user)
  })

  it.each([
    ['http://hooks.example/'],
    ['https://name:word@hooks.example/'],
    ['file:///etc/passwd'],
    ['https://'],
    ['https://hooks.example/#fragment'],
  ])('is rejected at %s', async (url) => {
    await expect(user.call(api.createOwnExport, hook({ url }))).rejects.toThrow('export_url_invalid')
  })

  it.each([['host: internal'], ['Content-Length: 1'], ['no colon'], ['a: b\r\nx'], ['x: \u0001']])(
    'is rejected with the header %j',
    async (headers) => {
      const input = hook({ kind: 'otlp', secrets: { headers } as never })
      await expect(user.call(api.createOwnExport, input)).rejects.toThrow('export_headers_invalid')
    },
  )

  it('names missing fields', async () => {
    await expect(user.call(api.createOwnExport, hook({ kind: 's3' }))).rejects.toThrow('export_fields_missing')
  })

  it('gets nothing while the site does not allow it, and continues from the same request', async () => {
    await user.call(api.createOwnExport, hook())
    await site.set({ UserExportsEnabled: 'false' })
    await site.serve(userId, ['while off'])

    await site.exportAll()
    expect(site.receiver.received).toEqual([])
    await expect(user.call(api.createOwnExport, hook())).rejects.toThrow('exports_disabled')

    await site.set({ UserExportsEnabled: 'true' })
    await site.exportAll()
    expect(sent()).toContain('while off')
  })

  it('gets nothing while its user is banned, and is removed with the account', async () => {
    await user.call(api.createOwnExport, hook())
    await site.serve(userId, ['r1'])
    await site.db.updateTable('user').set({ status: 2 }).where('id', '=', userId).execute()
    await site.exportAll()
    expect(site.receiver.received).toEqual([])

    await site.root.call(api.manageUser, { body: { id: userId, action: 'delete' } })

    expect(await site.db.selectFrom('export_destination').selectAll().execute()).toEqual([])
    expect(await site.db.selectFrom('export_delivery').selectAll().execute()).toEqual([])
  })

  it('can be tested, a few times a minute', async () => {
    const { id } = await user.call(api.createOwnExport, hook())
    expect(await user.call(api.testOwnExport, { path: { id } })).toMatchObject({ delivered: true, error: '' })
    expect(sent()).toContain('tidegate-test')

    site.receiver.respond({ status: 403, body: 'no' })
    expect(await user.call(api.testOwnExport, { path: { id } })).toMatchObject({
      delivered: false,
      response_status: 403,
      response_body: 'no',
    })
    for (let call = 0; call < 3; call += 1) await user.call(api.testOwnExport, { path: { id } })
    await expect(user.call(api.testOwnExport, { path: { id } })).rejects.toThrow('rate_limited')
  })
})

describe('destinations of the site', () => {
  it('are managed by the super admin only', async () => {
    const admin = await site.signedIn('admin')
    for (const client of [admin, user, apiClient(site.url)]) {
      await expect(client.call(api.listExports, {})).rejects.toThrow()
      await expect(client.call(api.createExport, hook())).rejects.toThrow()
    }
  })

  it('are audited without the path of their URL', async () => {
    const { id } = await site.addExport({ url: `${site.receiver.url}/secret-path` })
    await site.root.call(api.deleteExport, { path: { id } })

    const events = await site.db
      .selectFrom('audit_event')
      .selectAll()
      .where('action', 'like', 'export.%')
      .where('subject', '=', String(id))
      .execute()
    expect(events.map(({ action }) => action)).toEqual(['export.create', 'export.delete'])
    expect(JSON.stringify(events)).not.toContain('secret-path')
  })

  it('say when requests are not logged', async () => {
    await site.set({ LogConsumeEnabled: 'false' })
    expect(await site.root.call(api.listExports, {})).toMatchObject({ logs_served: false, logs_failed: true })
    await site.set({ LogConsumeEnabled: 'true' })
  })

  it('get the channel of a request', async () => {
    const { id } = await site.db
      .insertInto('channel')
      .values({ name: 'main', type: 14, sealed_key: '', models: '' } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    await site.addExport({ url: site.receiver.url })
    await site.serve(userId, ['r1'], { log: { channelId: id } })

    await site.exportAll()

    expect(JSON.parse(sent()).data.requests).toMatchObject([{ channel: { id, name: 'main' } }])
  })
})
