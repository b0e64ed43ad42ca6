import { api } from '@tidegate/contract'
import {
  addChannel,
  addToken,
  apiClient,
  fakeUpstream,
  setUpSite,
  SUPER_ADMIN,
  type FakeUpstream,
} from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite } from '../scenarios/site.ts'

type Site = Awaited<ReturnType<typeof openSite>>

let site: Site
let server: Awaited<ReturnType<Site['start']>>
let upstream: FakeUpstream
let key: string
beforeAll(async () => {
  upstream = await fakeUpstream()
  site = await openSite()
  const open = await site.start()
  const root = apiClient(open.url)
  await setUpSite(root, { SelfUseModeEnabled: true })
  await addChannel(root, upstream, { models: 'by-address' })
  await addChannel(root, { url: upstream.url.replace('127.0.0.1', 'localhost') }, { models: 'by-name' })
  key = (await addToken(root)).secret
  await open.stop()
  server = await site.start({ env: { TIDEGATE_EGRESS_ALLOW: 'localhost, *.models.example' } })
})
afterAll(async () => {
  await server?.stop()
  await site?.close()
  await upstream?.close()
})

async function sendChat(model: string) {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  })
  const body = (await response.json()) as { error?: { code: string } }
  return { status: response.status, code: body.error?.code }
}

it('serves requests through hosts that TIDEGATE_EGRESS_ALLOW contains, and through no other', async () => {
  expect(await sendChat('by-name')).toEqual({ status: 200, code: undefined })
  const { length } = upstream.requests

  expect(await sendChat('by-address')).toEqual({ status: 502, code: 'upstream_egress_not_allowed' })
  expect(upstream.requests).toHaveLength(length)
})

it('rejects a channel with another host when it is saved', async () => {
  const root = apiClient(server.url)
  await root.login(SUPER_ADMIN.username, SUPER_ADMIN.password)

  const body = { type: 1, name: 'thief', key: 'sk-0123456789abcdef', models: 'm', base_url: 'https://thief.example' }
  expect((await root.send(api.createChannel, { body })).envelope).toMatchObject({ code: 'egress_not_allowed' })
})
