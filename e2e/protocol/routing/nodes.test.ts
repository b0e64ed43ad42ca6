import { api } from '@tidegate/contract'
import type { RunningServer } from '@tidegate/testing'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendChat, sendMany } from './send-chat.ts'
import { requestCounts, site, useSite, type FakeProvider } from './site.ts'

useSite()

const AFTERWARDS = 20

/** Changes are made on a process with all roles, requests on one that serves only the data plane. */
describe('on another node', () => {
  let other: RunningServer
  let preferred: FakeProvider
  let spare: FakeProvider
  const onOther = () => ({ url: other.url, key: site.key })
  beforeAll(async () => {
    preferred = await site.addProvider({ models: 'm-node', priority: 9 })
    spare = await site.addProvider({ models: 'm-node', priority: 1 })
    other = await site.startGateway()
  })
  beforeEach(() => [preferred, spare].forEach((provider) => provider.reset()))

  async function servedBy(): Promise<FakeProvider | undefined> {
    const before = requestCounts(preferred, spare)
    await sendChat(onOther(), { model: 'm-node' })
    return [preferred, spare].find((provider, at) => provider.requests.length > before[at]!)
  }

  async function change(changes: { id: number; status?: number; priority?: number }): Promise<void> {
    await site.admin.call(api.updateChannel, { body: changes })
  }

  it('stops using a channel that was disabled, and uses it again once it is enabled', async () => {
    expect(await servedBy()).toBe(preferred)

    await change({ id: preferred.channel.id, status: 2 })
    await expect.poll(servedBy).toBe(spare)
    const before = preferred.requests.length
    await sendMany(onOther(), AFTERWARDS, { model: 'm-node' })
    expect(preferred.requests.length).toBe(before)

    await change({ id: preferred.channel.id, status: 1 })
    await expect.poll(servedBy).toBe(preferred)
  })

  it('follows a change of priority', async () => {
    await change({ id: spare.channel.id, priority: 99 })
    await expect.poll(servedBy).toBe(spare)

    await change({ id: spare.channel.id, priority: 1 })
    await expect.poll(servedBy).toBe(preferred)
  })

  it('stops using a channel that was disabled automatically', async () => {
    await site.setOptions({ AutomaticDisableChannelEnabled: true })
    const rejected = await site.addProvider({ models: 'm-node', priority: 99 })
    rejected.next({ status: 401 })

    await sendChat(site, { model: 'm-node' })

    await expect.poll(servedBy).toBe(preferred)
    const before = rejected.requests.length
    await sendMany(onOther(), AFTERWARDS, { model: 'm-node' })
    expect(rejected.requests.length).toBe(before)
  })

  it('serves a new virtual model', async () => {
    const status = async () => (await sendChat(onOther(), { model: 'tide-virtual' })).status
    expect(await status()).toBe(404)

    const mapping = { 'tide-virtual': [{ model: 'm-node', priorities: 1 }] }
    await site.admin.call(api.updateModelMapping, { body: { mapping } })

    await expect.poll(status).toBe(200)
  })

  it('follows an option that turns retries on', async () => {
    await site.setOptions({ RetryTimes: 0 })
    preferred.always({ status: 404 })
    const status = async () => (await sendChat(onOther(), { model: 'm-node' })).status
    await expect.poll(status).toBe(404)

    await site.setOptions({ RetryTimes: 1 })

    await expect.poll(status).toBe(200)
  })

  it('sends no request to a provider whose Retry-After another node received', async () => {
    const models = Array.from({ length: 200 }, (_, at) => `m-node-limited-${at}`)
    const limited = await site.addProvider({ models: models.join() })
    limited.always({ status: 429, headers: { 'retry-after': '600' } })

    // The other node may be asked before it learns of the limit, so each attempt has a model of its own.
    const attempt = async () => {
      const model = models.pop()!
      expect(await sendChat(site, { model })).toMatchObject({ status: 429 })
      const before = limited.requests.length
      const { code } = await sendChat(onOther(), { model })
      return { code, requests: limited.requests.length - before }
    }
    await expect.poll(attempt).toEqual({ code: 'channels_cooling_down', requests: 0 })
  })

  it('rejects a deleted token', async () => {
    const { client, key } = await site.addUser('two-nodes')
    const status = async () => (await sendChat({ url: other.url, key }, { model: 'm-node' })).status
    await expect.poll(status).toBe(200)
    const [token] = await client.call(api.listTokens, { query: { p: 0, size: 10 } })

    await client.call(api.deleteToken, { path: { id: token!.id } })

    await expect.poll(status).toBe(401)
  })

  it('serves no console API', async () => {
    expect((await fetch(`${other.url}/api/status`)).status).toBe(404)
  })

  it('serves the playground to a session, and rejects an unknown one', async () => {
    const { id, cookie: session } = await site.addUser('played')
    const send = (cookie: string) =>
      fetch(`${other.url}/pg/chat/completions`, {
        method: 'POST',
        headers: { cookie, 'tidegate-user': String(id), 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm-node', messages: [{ role: 'user', content: 'hello' }] }),
      })

    expect((await send(session)).status).toBe(200)
    const unknownUser = await send('tidegate_session=unknown')
    expect(unknownUser.status).toBe(401)
    expect(await unknownUser.json()).toMatchObject({ error: { code: 'not_logged_in' } })
  })
})
