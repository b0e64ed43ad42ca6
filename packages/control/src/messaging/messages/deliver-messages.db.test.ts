import { api, type BodyInput } from '@tidegate/contract'
import { inboxReceipts, messages, type Db } from '@tidegate/storage'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../../test/start-site.ts'
import { deliverMessages } from './deliver-messages.ts'
import { addUsers, followUnread, recipientsOf, TEXT } from '../../../test/messages.ts'

let site: TestSite
let root: ApiClient
let admin: ApiClient
let now = new Date()
beforeAll(async () => {
  site = await startTestSite({ now: () => now })
  await site.initialise()
  root = await site.signedIn('root')
  admin = await site.signedIn('admin')
  const value = JSON.stringify({ default: 1, vip: 1, boats: 1 })
  await root.call(api.updateOption, { body: { key: 'GroupRatio', value } })
})
afterAll(() => site.close())
beforeEach(async () => {
  now = new Date()
  await site.db.deleteFrom('message').execute()
  await site.db.deleteFrom('user').where('password_hash', 'is', null).execute()
})

const GO_ON = new AbortController().signal
const deliver = (limit?: number) => deliverMessages({ db: site.db, now: () => now }, GO_ON, limit)
const write = (body: Partial<BodyInput<typeof api.createMessage>>) =>
  admin.call(api.createMessage, { body: { ...TEXT, ...body } })
const read = (id: number) => admin.call(api.getMessage, { path: { id } })
const seconds = (later: number) => Math.floor(now.getTime() / 1000) + later

/** Users who are not deregistered, in order. */
async function everybody(): Promise<number[]> {
  const rows = await site.db.selectFrom('user').select('id').where('deleted_at', 'is', null).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

describe('a message to all users', () => {
  it('is accepted at once and reaches all current users', async () => {
    const [gone] = (await addUsers(site, 3)) as [number]
    await site.db.updateTable('user').set({ deleted_at: now }).where('id', '=', gone).execute()

    const taken = await write({ all: true })
    expect(taken).toMatchObject({ target: 'all', state: 'sending', delivered: 0, planned: null, sent_at: null })
    expect(await recipientsOf(site, taken.id)).toEqual([])
    await deliver(4)

    const all = await everybody()
    expect(await recipientsOf(site, taken.id)).toEqual(all)
    expect(await read(taken.id)).toMatchObject({
      state: 'sent',
      planned: all.length,
      delivered: all.length,
      sent_at: now.toISOString(),
      stats: { total_recipients: all.length },
    })
    const [late] = await addUsers(site, 1)
    await deliver()
    expect(await recipientsOf(site, taken.id)).not.toContain(late)
  })

  it('leaves out users who register during delivery', async () => {
    await addUsers(site, 6)
    const { id } = await write({ all: true })
    await inboxReceipts.startDue(site.db, now)
    await inboxReceipts.addNextReceipts(site.db, id, { limit: 3, now })
    const before = await everybody()

    await addUsers(site, 5)
    await deliver(3)

    expect(await recipientsOf(site, id)).toEqual(before)
  })

  it('reaches open unread feeds', async () => {
    const user = await site.signedIn('user')
    const feed = await followUnread(user)
    await expect.poll(() => feed.counts).toEqual([0])

    await write({ all: true })
    await deliver(2)

    await expect.poll(() => feed.counts).toEqual([0, 1])
    await feed.leave()
  })
})

describe('a message to a group', () => {
  it('reaches its current members', async () => {
    const boats = await addUsers(site, 5, 'boats')
    await addUsers(site, 5, 'vip')

    const { id, target, group } = await write({ group: ' boats ' })
    await site.db.updateTable('user').set({ group: 'vip' }).where('id', '=', boats[4]!).execute()
    await deliver(2)

    expect([target, group]).toEqual(['group', 'boats'])
    expect(await recipientsOf(site, id)).toEqual(boats.slice(0, 4))
    expect(await read(id)).toMatchObject({ state: 'sent', planned: 4, delivered: 4 })
  })

  it('is sent to no user if the group has no members', async () => {
    await site.db.updateTable('user').set({ group: 'default' }).where('group', '=', 'boats').execute()

    const { id } = await write({ group: 'boats' })
    await deliver()

    expect(await read(id)).toMatchObject({ state: 'sent', planned: 0, delivered: 0, stats: { read_rate: 0 } })
  })
})

describe('a long recipient list', () => {
  it('is delivered in the background', async () => {
    const ids = await addUsers(site, 1200)
    const wanted = ids.slice(0, 1100)

    const taken = await write({ user_ids: wanted.toReversed() })
    expect(taken).toMatchObject({ target: 'users', state: 'sending', planned: 1100, delivered: 0 })
    const [leaver] = wanted as [number]
    await site.db.updateTable('user').set({ deleted_at: now }).where('id', '=', leaver).execute()
    await deliver(500)

    expect(await recipientsOf(site, taken.id)).toEqual(wanted.slice(1))
    expect(await read(taken.id)).toMatchObject({ state: 'sent', planned: 1099, delivered: 1099 })
  })
})

describe('a scheduled message', () => {
  it('is sent at its time to the users of that time', async () => {
    const [first] = (await addUsers(site, 1)) as [number]
    const { id, ...taken } = await write({ all: true, send_at: seconds(3600) })
    expect(taken).toMatchObject({ state: 'scheduled', send_at: seconds(3600), sent_at: null })

    await deliver()
    expect(await recipientsOf(site, id)).toEqual([])
    const [second] = (await addUsers(site, 1)) as [number]
    now = new Date(now.getTime() + 3_600_000)
    await deliver()

    expect(await recipientsOf(site, id)).toEqual(expect.arrayContaining([first, second]))
    expect(await read(id)).toMatchObject({ state: 'sent', sent_at: now.toISOString() })
  })

  it('is delayed with a short list too', async () => {
    const ids = await addUsers(site, 2)
    const { id, state, planned } = await write({ user_ids: ids, send_at: seconds(60) })
    expect([state, planned]).toEqual(['scheduled', 2])
    expect(await recipientsOf(site, id)).toEqual([])

    now = new Date(now.getTime() + 61_000)
    await deliver()

    expect(await recipientsOf(site, id)).toEqual(ids)
  })

  it('can be edited, moved and sent at once while scheduled, but not afterwards', async () => {
    const ids = await addUsers(site, 1)
    const { id } = await write({ user_ids: ids, send_at: seconds(60) })
    const edit = (body: Partial<BodyInput<typeof api.updateMessage>>) =>
      admin.call(api.updateMessage, { path: { id }, body: { ...TEXT, title: 'Ebb', ...body } })

    expect(await edit({})).toMatchObject({ title: 'Ebb', send_at: seconds(60), state: 'scheduled' })
    expect(await edit({ send_at: seconds(7200) })).toMatchObject({ send_at: seconds(7200) })
    await expect(edit({ send_at: seconds(-5) })).rejects.toMatchObject({ code: 'message_time_invalid' })
    await edit({ send_at: null })
    await deliver()

    expect(await recipientsOf(site, id)).toEqual(ids)
    await expect(edit({ send_at: seconds(60) })).rejects.toMatchObject({ code: 'message_sent' })
    const { send_at } = await read(id)
    expect(await edit({ send_at, title: 'Flood' })).toMatchObject({ title: 'Flood', state: 'sent' })
  })
})

describe('message delivery', () => {
  it('continues after a crash', async () => {
    await addUsers(site, 20)
    const { id } = await write({ all: true })
    await inboxReceipts.startDue(site.db, now)
    await inboxReceipts.addNextReceipts(site.db, id, { limit: 3, now })
    await expect(dieWhileSending(id)).rejects.toThrow('killed')
    expect(await recipientsOf(site, id)).toHaveLength(3)
    expect(await read(id)).toMatchObject({ state: 'sending', delivered: 3 })

    await deliver(3)

    const all = await everybody()
    expect(await recipientsOf(site, id)).toEqual(all)
    expect(await read(id)).toMatchObject({ state: 'sent', delivered: all.length })
  })

  it('reaches every user once with two workers', async () => {
    await addUsers(site, 40)
    const ids = [(await write({ all: true })).id, (await write({ all: true })).id]

    const states = async () => {
      await Promise.all([deliver(7), deliver(7)])
      return Promise.all(ids.map(async (id) => (await read(id)).state))
    }
    await expect.poll(states).toEqual(['sent', 'sent'])

    const all = await everybody()
    for (const id of ids) {
      expect(await recipientsOf(site, id)).toEqual(all)
      expect(await read(id)).toMatchObject({ state: 'sent', delivered: all.length })
    }
  })

  it('stops when the process ends or the message is deleted', async () => {
    await addUsers(site, 10)
    const remaining = await write({ all: true })
    const removed = await write({ all: true })
    await inboxReceipts.startDue(site.db, now)
    await inboxReceipts.addNextReceipts(site.db, remaining.id, { limit: 2, now })
    await inboxReceipts.addNextReceipts(site.db, removed.id, { limit: 2, now })

    await deliverMessages({ db: site.db, now: () => now }, AbortSignal.abort(), 2)
    expect(await recipientsOf(site, remaining.id)).toHaveLength(2)
    await admin.call(api.deleteMessage, { path: { id: removed.id } })
    await deliver(2)

    expect(await recipientsOf(site, remaining.id)).toEqual(await everybody())
    expect(await recipientsOf(site, removed.id)).toEqual([])
    expect(await messages.find(site.db, removed.id)).toBeUndefined()
  })
})

/** Loses the current chunk, like a killed process. */
async function dieWhileSending(id: number): Promise<void> {
  await site.db.transaction().execute(async (transaction) => {
    const nested = { transaction: () => ({ execute: (work: (db: Db) => Promise<boolean>) => work(transaction) }) }
    await inboxReceipts.addNextReceipts(nested as unknown as Db, id, { limit: 3, now })
    expect(await transaction.selectFrom('message_recipient').select('user_id').execute()).toHaveLength(6)
    throw new Error('killed')
  })
}
