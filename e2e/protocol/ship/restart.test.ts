import { api } from '@tidegate/contract'
import { fakeUpstream } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { install, start, type Installation } from './installed.ts'
import { accountAfter, chat, furnish, logIn } from './site.ts'
import { tidegate } from './run-tidegate.ts'

vi.setConfig({ testTimeout: 180_000 })

const CALLERS = 8

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

it('a restart in the middle of traffic loses no answered call and books none twice', async () => {
  const upstream = await fakeUpstream()
  upstream.always({ text: 'one two three four five six', betweenEventsMs: 20 })
  const before = await start(installation)
  const { secret } = await furnish(before.url, upstream)
  let url = before.url
  const answered: string[] = []
  const after = new Set<string>()
  const over = new AbortController()
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!over.signal.aborted) {
      const at = url
      const call = await chat(at, secret).catch(() => undefined) // nobody is at the door for a moment
      if (call?.status === 200) answered.push(call.requestId)
      if (call?.status === 200 && at !== before.url) after.add(call.requestId)
    }
  })
  await expect.poll(() => answered.length).toBeGreaterThan(3 * CALLERS)

  expect(await before.stop()).toBe(0)
  const again = await start(installation)
  url = again.url
  await expect.poll(() => after.size).toBeGreaterThan(3 * CALLERS)
  over.abort()
  await Promise.all(callers)

  const client = await logIn(again.url)
  await accountAfter(client, answered.length)
  const { items } = await client.call(api.listLogs, { query: { type: 2, page_size: 100 } })
  expect(new Set(answered).size).toBe(answered.length)
  for (const { request_id } of items) expect(answered).toContain(request_id)
  expect(new Set(items.map(({ request_id }) => request_id)).size).toBe(items.length)
  await again.stop()
  const books = await tidegate(['verify'], { dataDirectory: `${installation.folder}/tidegate-data` })
  expect(books).toMatchObject({ code: 0, stdout: 'The books balance.\n' })
  await upstream.close()
})
