import { api } from '@tidegate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let root: Awaited<ReturnType<TestSite['signedIn']>>
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(() => site.close())

const find = async (query: Record<string, string | number>) =>
  (await root.call(api.listAuditEvents, { query })).items.map(({ action }) => action)

it('lists actor, action, subject, before, after and origin', async () => {
  const { userId } = await site.signedIn('user')

  await root.call(api.manageUser, { body: { id: userId!, action: 'disable' } })

  const { items } = await root.call(api.listAuditEvents, { query: { subject: userId!, action: 'user.disable' } })
  expect(items).toEqual([
    {
      id: expect.any(Number),
      created_at: expect.any(Number),
      actor_id: root.userId,
      actor: root.username,
      token: '',
      action: 'user.disable',
      subject: String(userId),
      details: { before: { role: 1, status: 1 }, after: { role: 1, status: 2 } },
      client_ip: '127.0.0.1',
      request_id: expect.stringMatching(/./),
    },
  ])
})

it('filters by area, action, actor and time, with paging', async () => {
  const { userId } = await site.signedIn('user')
  const subject = String(userId)
  for (const action of ['promote', 'demote']) await root.call(api.manageUser, { body: { id: userId!, action } })
  const now = Math.floor(Date.now() / 1000)

  expect(await find({ subject, action: 'user' })).toEqual(['user.demote', 'user.promote', 'user.login'])
  expect(await find({ subject, without_logins: 'true' })).toEqual(['user.demote', 'user.promote'])
  expect(await find({ subject, action: 'user.promote' })).toEqual(['user.promote'])
  expect(await find({ subject, action: 'use' })).toEqual([])
  expect(await find({ subject, actor_id: userId! })).toEqual(['user.login'])
  expect(await find({ subject, start_timestamp: now + 60 })).toEqual([])
  expect(await find({ subject, start_timestamp: now - 60, end_timestamp: now + 60 })).toHaveLength(3)
  const page = await root.call(api.listAuditEvents, { query: { subject, p: 2, page_size: 1 } })
  expect(page).toMatchObject({ total: 3, page: 2, page_size: 1, items: [{ action: 'user.promote' }] })
})
