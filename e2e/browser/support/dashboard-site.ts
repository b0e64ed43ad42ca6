import { api } from '@tidegate/contract'
import { addChannel, addToken, type FakeUpstream } from '@tidegate/testing'
import { expect, vi } from 'vitest'
import { addMember, type Member, priceModels } from './lists.ts'
import type { Site } from './site.ts'

export const PLAIN_MODEL = 'usage-model'
/** A name that needs escaping in an address. */
export const ODD_MODEL = 'usage/model:free'
const REQUESTS = { [PLAIN_MODEL]: 5, [ODD_MODEL]: 2 }

/** Two models and a user with settled requests to them. */
export async function seedUsage(site: Site, upstream: FakeUpstream): Promise<Member> {
  await priceModels(site, { [PLAIN_MODEL]: 1.25, [ODD_MODEL]: 0.75 })
  await addChannel(site.client, upstream, { models: `${PLAIN_MODEL},${ODD_MODEL}`, group: 'default,vip' })
  const caller = await addMember(site, 'usage-caller', { quota: 5_000_000 })
  const { secret } = await addToken(caller.client)
  let requests = 0
  for (const [model, count] of Object.entries(REQUESTS)) {
    for (let request = 0; request < count; request += 1) await chat(site, secret, model)
    requests += count
  }
  const countRequests = async () => (await usageOf(site, caller.username)).requests
  await vi.waitFor(async () => expect(await countRequests()).toBe(requests), { timeout: 15_000 })
  return caller
}

/** The usage of a user today, as the API reports it. */
export async function usageOf({ client }: Pick<Site, 'client'>, username: string) {
  const rows = await client.call(api.getSiteData, { query: { username } })
  return {
    requests: rows.reduce((sum, { count }) => sum + count, 0),
    quota: rows.reduce((sum, { quota }) => sum + quota, 0),
  }
}

export async function chat({ server }: Pick<Site, 'server'>, secret: string, model: string): Promise<void> {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'When does the tide turn?' }] }),
  })
  const body = await response.text()
  if (!response.ok) throw new Error(`the request was rejected: ${response.status} ${body}`)
}
