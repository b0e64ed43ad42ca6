import { api } from '@tidegate/contract'
import { beforeAll, expect, it } from 'vitest'
import { sendChat } from './send-chat.ts'
import { pick } from './protocols.ts'
import type { SiteUser } from '../shared-site.ts'
import { site, SOON, type FakeProvider } from './site.ts'

let failing: FakeProvider
let small: FakeProvider
let serving: FakeProvider
let user: SiteUser

const PROVIDER_KEY = 'sk-provider-0123456789abcdef'
/** Providers often repeat the key they reject. */
const API_ERROR = {
  status: 503,
  body: { error: { message: `No capacity for ${PROVIDER_KEY}.`, type: 'server_error' } },
}

/** What the log shows about routing, and to whom. */
export function recordTests(): void {
  beforeAll(async () => {
    await site.setOptions({ RetryTimes: 2, 'global.auto_retry_enabled': false, LogErrorEnabled: true })
    failing = await site.addProvider({
      models: 'm-record',
      priority: 9,
      key: PROVIDER_KEY,
      name: 'the-failing-channel',
    })
    small = await site.addProvider({ models: 'm-record', priority: 5, max_input_tokens: 1, name: 'the-small-channel' })
    serving = await site.addProvider({ models: 'm-record', priority: 1, name: 'the-serving-channel' })
    user = await site.addUser('logged-user')
  })

  const ownRows = async () => (await user.client.call(api.listOwnLogs, { query: { p: 1, page_size: 100 } })).items

  it('shows administrators the decision and the attempts', async () => {
    failing.next(API_ERROR)

    const { status, requestId } = await sendChat({ url: site.url, key: user.key }, { model: 'm-record' })

    expect(status).toBe(200)
    const row = await site.rowOf(requestId)
    expect(row).toMatchObject({ channel: serving.channel.id, channel_name: serving.channel.name })
    expect(pick(JSON.parse(row.other), 'admin_info')).toMatchObject({
      use_channel: [String(failing.channel.id), String(serving.channel.id)],
      attempts: [
        { channel: failing.channel.id, status: 503, reason: expect.stringContaining('No capacity') },
        { channel: serving.channel.id, milliseconds: expect.any(Number) },
      ],
      decision: {
        candidates: 3,
        passedOver: [{ channelId: small.channel.id, reason: 'prompt-too-long' }],
        passedOverCount: 1,
      },
    })
  })

  it('shows ordinary users nothing about channels, neither of the request nor of the failed attempt', async () => {
    failing.next(API_ERROR)
    const { requestId } = await sendChat({ url: site.url, key: user.key }, { model: 'm-record' })

    const rows = async () => (await ownRows()).filter((row) => row.request_id === requestId)
    await expect.poll(async () => new Set((await rows()).map(({ type }) => type)), SOON).toEqual(new Set([2, 6]))
    for (const row of await rows()) {
      expect(row).toMatchObject({ channel: 0, channel_name: '' })
      const details = JSON.parse(row.other) as object
      for (const hidden of ['admin_info', 'channel_id', 'channel_name', 'upstream_model_name']) {
        expect(details).not.toHaveProperty(hidden)
      }
      expect(JSON.stringify(row)).not.toMatch(/the-(failing|small|serving)-channel/)
    }
  })

  it('contains no provider key, not even for administrators', async () => {
    failing.next(API_ERROR)
    const { requestId } = await sendChat({ url: site.url, key: user.key }, { model: 'm-record' })
    await site.rowOf(requestId)

    const rows = async () => {
      const { items } = await site.admin.call(api.listLogs, { query: { p: 1, page_size: 100 } })
      return items.filter((row) => row.request_id === requestId)
    }
    await expect.poll(async () => (await rows()).length, SOON).toBe(2)
    expect(JSON.stringify(await rows())).not.toContain(PROVIDER_KEY)
    expect(JSON.stringify(await ownRows())).not.toContain(PROVIDER_KEY)
  })
}
