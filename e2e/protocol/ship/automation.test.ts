import { createClient, type Client } from '@tidegate/contract/client'
import { api } from '@tidegate/contract'
import { apiClient, fakeUpstream, startServer, type FakeUpstream, type RunningServer } from '@tidegate/testing'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedSite } from '../shared-site.ts'

const site = sharedSite()
const root = site.admin
let second: RunningServer
let nodes: [{ url: string }, { url: string }]
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
  second = await startServer({ env: { ...site.env }, args: ['--role', 'control'] })
  nodes = [site, second]
})
afterAll(async () => {
  await second?.stop()
  await upstream?.close()
})

async function program(scopes: string[], node = 0): Promise<Client & { id: number; on(node: number): Client }> {
  const { token, id } = await root.call(api.createAutomationToken, { body: { name: 'robot', scopes } })
  const on = (which: number) => createClient({ url: nodes[which]!.url, token })
  return { ...on(node), id, on }
}

const aChannel = (name: string) => ({
  body: { name, type: 1, key: `sk-of-${name}`, base_url: upstream.url, models: 'gpt-4o' },
})

describe('a program that manages the site', () => {
  it('creates a channel, a user with a balance and a key, and the key works at once', async () => {
    const robot = await program(['channels:write', 'users:write', 'logs:read'])

    const channel = await robot.call(api.createChannel, aChannel('harbour'))
    const user = await robot.call(api.createUser, { body: { username: 'customer', password: 'spring-tide-42' } })
    await robot.call(api.updateUser, { body: { id: user.id, username: user.username, quota: 5_000_000 } })
    const customer = apiClient(nodes[0].url)
    await customer.login('customer', 'spring-tide-42')
    const { token } = await customer.call(api.createAutomationToken, {
      body: { name: 'own', scopes: ['tokens:write'] },
    })
    const [key] = await createClient({ url: nodes[0].url, token }).call(api.createToken, {
      body: { name: 'shop', unlimited_quota: true },
    })

    expect(channel).toMatchObject({ name: 'harbour', models: 'gpt-4o', status: api.CHANNEL_STATUS.enabled })
    expect(channel.key).not.toContain('sk-of-harbour')
    const openai = new OpenAI({ apiKey: `sk-${key!.key}`, baseURL: `${nodes[0].url}/v1`, maxRetries: 0 })
    const response = await openai.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'hello' }],
    })
    expect(response.choices[0]!.message.content).not.toBe('')
    await expect
      .poll(() => robot.call(api.exportLogs, { query: { username: 'customer', type: api.LOG_TYPE.consumption } }))
      .toContain('gpt-4o')
  })

  it('is rejected by every node from the moment its token is revoked', async () => {
    const robot = await program(['users:read'])
    for (const node of [0, 1]) expect((await robot.on(node).call(api.listUsers)).total).toBeGreaterThan(0)

    await root.call(api.revokeAutomationToken, { path: { id: robot.id } })

    for (const node of [0, 1]) {
      await expect(robot.on(node).call(api.listUsers)).rejects.toMatchObject({
        status: 401,
        code: 'access_token_invalid',
      })
    }
  })

  it('can neither leave its scopes nor reach tokens, settings or other credentials', async () => {
    const robot = await program(['users:write'])

    await expect(robot.call(api.listChannels)).rejects.toMatchObject({ status: 403, code: 'scope_missing' })
    await expect(robot.call(api.listOptions)).rejects.toMatchObject({ code: 'scope_missing' })
    const more = { body: { name: 'more', scopes: ['options:write'] } }
    await expect(robot.call(api.createAutomationToken, more)).rejects.toMatchObject({ code: 'not_for_tokens' })
    await expect(robot.call(api.createAccessToken)).rejects.toMatchObject({ code: 'not_for_tokens' })
    await expect(robot.call(api.listSessions)).rejects.toMatchObject({ code: 'not_for_tokens' })
  })

  it('can use the control plane only: the data plane rejects its token', async () => {
    const { token } = await root.call(api.createAutomationToken, { body: { name: 'x', scopes: ['account:read'] } })

    const response = await fetch(`${nodes[0].url}/v1/models`, { headers: { authorization: `Bearer ${token}` } })

    expect(response.status).toBe(401)
  })
})

describe('a repeated request', () => {
  it('creates one channel of ten concurrent requests at two nodes, and every program gets its ID', async () => {
    const robot = await program(['channels:write', 'channels:read'])
    const input = { ...aChannel('once'), idempotencyKey: 'channel-once' }

    const made = await Promise.all(
      Array.from({ length: 10 }, (_, turn) => robot.on(turn % 2).call(api.createChannel, input)),
    )

    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect(await robot.call(api.searchChannels, { query: { keyword: 'once' } })).toHaveLength(1)
  })

  it('is rejected with another body under the same key', async () => {
    const robot = await program(['channels:write'])
    await robot.call(api.createChannel, { ...aChannel('first'), idempotencyKey: 'same' })

    const other = robot.call(api.createChannel, { ...aChannel('second'), idempotencyKey: 'same' })

    await expect(other).rejects.toMatchObject({ status: 422, code: 'idempotency_key_reused' })
  })
})
