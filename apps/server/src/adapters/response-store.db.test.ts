import { randomBytes } from 'node:crypto'
import type { NewResponse } from '@tidegate/gateway'
import { openVault, resealAll, users } from '@tidegate/storage'
import { workerDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createResponseStore } from './response-store.ts'

const vault = openVault(randomBytes(32))
const events: object[] = []
const log = { info: () => {}, warn: (details: object) => void events.push(details), error: () => {} }
const NO_USER = 999_999_999
const DAY_MS = 86_400_000

let database: Awaited<ReturnType<typeof workerDatabase>>
let userId: number
let otherId: number
beforeAll(async () => {
  database = await workerDatabase()
  const insert = (name: string) => users.insert(database.db, { username: name, display_name: name, aff_code: name })
  userId = await insert('storing')
  otherId = await insert('other')
})
afterAll(() => database.close())

let store: ReturnType<typeof createResponseStore>
beforeEach(() => {
  events.length = 0
  store = openStore()
})
const openStore = () => createResponseStore({ db: database.db, recordsDb: database.db, vault, log })

let count = 0
function aResponse(fields: Partial<NewResponse> = {}): NewResponse {
  count += 1
  const id = `resp_${count}`
  const output = [{ type: 'message', id: `msg_${count}`, role: 'assistant', content: [{ text: `answer ${count} 潮` }] }]
  const input = [{ role: 'user', content: `question ${count}` }]
  return {
    userId,
    id,
    thread: 'thread',
    previousId: undefined,
    account: undefined,
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + 30 * DAY_MS),
    bytes: 1000,
    content: () => ({ input, response: { id, status: 'completed', output } }),
    ...fields,
  }
}

/** A thread of three turns, in order. */
function saveThread() {
  const turns = [aResponse()]
  for (const _ of [1, 2]) turns.push(aResponse({ previousId: turns.at(-1)!.id }))
  turns.forEach((turn) => store.save(turn))
  return turns
}

const idsOf = (responses: readonly { id: string }[]) => responses.map(({ id }) => id)

describe('a stored response', () => {
  it.each(['before', 'after'])('is found %s it is written', async (when) => {
    const account = { channelId: 3, keyId: 'key', routed: 'gpt' }
    const turns = [...saveThread(), aResponse({ account })]
    const last = turns.at(-1)!
    store.save(last)
    if (when === 'after') await store.stop()

    expect(await store.locate(userId, last.id)).toMatchObject({ userId, thread: 'thread', account })
    expect(await store.find(userId, last.id)).toEqual({
      id: last.id,
      previousId: undefined,
      status: 'completed',
      ...last.content(),
    })
    expect(idsOf(await store.findThread(userId, turns[2]!.id))).toEqual(idsOf(turns.slice(0, 3)))
    const itemId = last.id.replace('resp', 'msg')
    const items = await store.findItems(userId, [itemId, 'msg_unknown'])
    expect([...items.keys()]).toEqual([itemId])
    expect(items.get(itemId)).toMatchObject({ item: { id: itemId }, location: { id: last.id, account } })
  })

  it('belongs to its user', async () => {
    const response = aResponse()
    store.save(response)
    await store.stop()

    expect(await store.locate(otherId, response.id)).toMatchObject({ userId })
    expect(await store.find(otherId, response.id)).toBeUndefined()
    expect(await store.findThread(otherId, response.id)).toEqual([])
    expect((await store.findItems(otherId, [response.id.replace('resp', 'msg')])).size).toBe(0)
    expect(await store.remove(otherId, response.id)).toBe(false)
    expect(await store.remove(userId, response.id)).toBe(true)
    expect(await store.find(userId, response.id)).toBeUndefined()
  })

  it('is encrypted, and follows a rotation of the keys', async () => {
    const response = aResponse()
    store.save(response)
    await store.stop()
    const row = await database.db.selectFrom('stored_response').selectAll().where('id', '=', response.id).execute()
    expect(row[0]!.sealed).toMatch(/^v1\./)
    const { ring } = vault
    ring.load({ version: 1, keys: [ring.wrapAs(ring.wrapFirst(), 'old'), ring.wrapAs(ring.wrapNew(2), 'active')] })

    await resealAll(database.db, vault)

    expect(await store.find(userId, response.id)).toMatchObject(response.content()!)
  })

  it('has the events of its stream, encrypted', async () => {
    const response = aResponse()
    await store.begin(response, new Date(Date.now() + 60_000))
    const event = (number: number) => ({ type: 'event', sequence_number: number, text: `secret ${number} 潮` })
    await store.addEvents(userId, response.id, { first: 0, events: [event(0), event(1)] })
    await store.addEvents(userId, response.id, { first: 2, events: [event(2)] })
    const rows = await database.db
      .selectFrom('stored_response_event')
      .selectAll()
      .where('response_id', '=', response.id)
      .execute()
    expect(JSON.stringify(rows)).not.toContain('secret')

    await resealAll(database.db, vault)

    expect(await store.findEvents(userId, response.id, 1)).toEqual([{ first: 2, events: [event(2)] }])
    expect((await store.findEvents(userId, response.id, 0)).map(({ first }) => first)).toEqual([0, 2])
    expect(await store.findEvents(otherId, response.id, -1)).toEqual([])
    await store.remove(userId, response.id)
    expect(await store.findEvents(userId, response.id, -1)).toEqual([])
  })

  it('can be deleted before it is written', async () => {
    const response = aResponse()
    store.save(response)

    expect(await store.remove(userId, response.id)).toBe(true)
    await store.stop()

    expect(await store.find(userId, response.id)).toBeUndefined()
  })

  it('keeps the turns before it as long as itself', async () => {
    const expiresAt = new Date(Date.now() + DAY_MS)
    const first = aResponse({ expiresAt })
    const second = aResponse({ previousId: first.id, expiresAt })
    const third = aResponse({ previousId: second.id })
    for (const turn of [first, second, third]) store.save(turn)
    await store.stop()

    const rows = await database.db
      .selectFrom('stored_response')
      .select('expires_at')
      .where('id', 'in', idsOf([first, second, third]))
      .execute()

    expect(rows.map(({ expires_at }) => expires_at)).toEqual([third.expiresAt, third.expiresAt, third.expiresAt])
  })
})

describe('a response that cannot be stored', () => {
  it.each<[string, Partial<NewResponse>]>([
    ['whose user was deleted', { userId: NO_USER }],
    ['that is too large', { content: () => ({ input: [{ text: 'x'.repeat(5_000_000) }], response: {} }) }],
    ['that cannot be read', { content: () => JSON.parse('{') as never }],
  ])('%s does not keep others from being stored', async (_, fields) => {
    const [good, bad] = [aResponse(), aResponse(fields)]
    store.save(bad)
    store.save(good)
    await store.stop()

    expect(await store.find(userId, good.id)).toBeDefined()
    expect(await store.find(bad.userId, bad.id)).toBeUndefined()
    expect(events).toMatchObject([{ event: 'response.not_stored', responseId: bad.id }])
    expect(store.metrics()).toEqual({ waiting: 0, dropped: 1 })
  })

  it('is dropped while too many wait', async () => {
    store.save(aResponse({ bytes: 65 * 1024 * 1024 }))

    expect(store.metrics()).toEqual({ waiting: 0, dropped: 1 })
    await store.stop()
  })
})

describe('a response that runs in the background', () => {
  const inAMinute = () => new Date(Date.now() + 60_000)
  const queued = () => {
    const response = aResponse()
    const { input } = response.content()!
    return { ...response, content: () => ({ input, response: { id: response.id, status: 'queued', output: [] } }) }
  }
  const statusOf = async (id: string) => {
    const found = await openStore().find(userId, id)
    return [found?.status, found?.response.status]
  }

  it('is queued, in progress while its lease is renewed, then completed', async () => {
    const running = queued()
    await store.begin(running, inAMinute())
    expect(await statusOf(running.id)).toEqual(['queued', 'queued'])

    expect(await store.renew([running, { userId, id: 'resp_unknown' }], inAMinute())).toEqual([running.id])
    expect(await statusOf(running.id)).toEqual(['in_progress', 'in_progress'])

    const ended = aResponse({ id: running.id })
    store.save({ ...ended, content: () => ({ input: [], response: { id: running.id, status: 'completed' } }) })
    await store.stop()
    expect(await statusOf(running.id)).toEqual(['completed', 'completed'])
    expect(await store.renew([running], inAMinute())).toEqual([])
  })

  it('has failed when its process did not renew the lease', async () => {
    const running = queued()
    await store.begin(running, new Date(Date.now() - 1))

    expect(await store.find(userId, running.id)).toMatchObject({
      status: 'failed',
      response: { status: 'failed', error: { code: 'server_error' } },
    })
  })

  it('stays cancelled, and is not renewed', async () => {
    const running = queued()
    await store.begin(running, inAMinute())

    await store.cancel(userId, running.id)

    expect(await store.renew([running], inAMinute())).toEqual([])
    store.save(aResponse({ id: running.id }))
    await store.stop()
    expect(await statusOf(running.id)).toEqual(['cancelled', 'cancelled'])
  })
})

it('finds nothing for ids that PostgreSQL rejects', async () => {
  const id = 'resp_\0'

  expect(await store.locate(userId, id)).toBeUndefined()
  expect(await store.find(userId, id)).toBeUndefined()
  expect(await store.findThread(userId, id)).toEqual([])
  expect(await store.findItems(userId, [id])).toEqual(new Map())
  expect(await store.remove(userId, id)).toBe(false)
})

it('stores the last of two responses that a provider gave the same id', async () => {
  const first = aResponse({ id: 'resp_same' })
  store.save(first)
  store.save({ ...first, content: () => ({ input: [], response: { id: 'resp_same', status: 'incomplete' } }) })
  await store.stop()

  expect(await store.find(userId, 'resp_same')).toMatchObject({ status: 'incomplete' })
})
