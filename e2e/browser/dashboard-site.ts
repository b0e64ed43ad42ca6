import { api } from '@tidegate/contract'
import { addChannel, addToken, apiClient, SUPER_ADMIN, type FakeUpstream } from '@tidegate/testing'
import { expect, vi } from 'vitest'
import type { Site } from './site.ts'
import { addUser } from './user-list.ts'

export const PLAIN_MODEL = 'gpt-4o'
/** A name that has to be written otherwise in an address. */
export const ODD_MODEL = 'vendor/model:free'
const CALLS = { captain: 5, mira: 2 }

/** Two models, two users and a few calls of each, booked. */
export async function furnishWithCalls(site: Site, upstream: FakeUpstream): Promise<void> {
  const { client, server } = site
  const ratios = JSON.stringify({ [PLAIN_MODEL]: 1.25, [ODD_MODEL]: 0.75 })
  await client.call(api.updateOption, { body: { key: 'ModelRatio', value: ratios } })
  const groups = JSON.stringify({ default: 1, vip: 0.5 })
  await client.call(api.updateOption, { body: { key: 'GroupRatio', value: groups } })
  await addChannel(client, upstream, { models: `${PLAIN_MODEL},${ODD_MODEL}`, group: 'default,vip' })
  await addUser(site, 'mira', { quota: 5_000_000 })
  const mira = apiClient(server.url)
  await mira.login('mira', SUPER_ADMIN.password)
  const own = await addToken(client)
  const theirs = await addToken(mira)
  for (let call = 0; call < CALLS.captain; call += 1) await chat(site, own.secret, PLAIN_MODEL)
  for (let call = 0; call < CALLS.mira; call += 1) await chat(site, theirs.secret, ODD_MODEL)
  const all = CALLS.captain + CALLS.mira
  await vi.waitFor(async () => expect((await spentBy(site)).requests).toBe(all), { timeout: 15_000 })
}

/** What the server says was used today, by everybody or by one user. */
export async function spentBy({ client }: Pick<Site, 'client'>, username?: string) {
  const rows = await client.call(api.getSiteData, { query: username === undefined ? {} : { username } })
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
  const answer = await response.text()
  if (!response.ok) throw new Error(`the call was refused: ${response.status} ${answer}`)
}
