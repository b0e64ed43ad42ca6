import { randomBytes } from 'node:crypto'
import { openVault, users } from '@tidegate/storage'
import { workerDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createConversationStore } from './conversation-store.ts'

let database: Awaited<ReturnType<typeof workerDatabase>>
let store: ReturnType<typeof createConversationStore>
let userId: number
let otherId: number
beforeAll(async () => {
  database = await workerDatabase()
  store = createConversationStore({ db: database.db, vault: openVault(randomBytes(32)) })
  const insert = (name: string) => users.insert(database.db, { username: name, display_name: name, aff_code: name })
  userId = await insert('talking')
  otherId = await insert('silent')
})
afterAll(() => database.close())

const itemOf = (id: string) => ({ id, type: 'message', role: 'user', content: `潮 ${id}` })
async function create(id: string, expiresAt = new Date(Date.now() + 1000)) {
  const conversation = { id, metadata: { topic: 'tides' }, createdAt: new Date(0) }
  await store.create({ ...conversation, userId, items: [itemOf('a'), itemOf('b')], expiresAt })
  return conversation
}

it('stores a conversation with its items in order, for its user', async () => {
  const conversation = await create('conv_1')
  await store.addItems({ userId, id: 'conv_1', expiresAt: new Date() }, [itemOf('c'), itemOf('d')])
  await store.change(userId, 'conv_1', { topic: 'winds' })

  expect(await store.removeItem(userId, 'conv_1', 'b')).toBe(true)
  expect(await store.removeItem(userId, 'conv_1', 'b')).toBe(false)
  expect(await store.find(userId, 'conv_1')).toEqual({ ...conversation, metadata: { topic: 'winds' } })
  expect(await store.listItems(userId, 'conv_1')).toEqual(['a', 'c', 'd'].map(itemOf))
  expect(await store.find(otherId, 'conv_1')).toBeUndefined()
  expect(await store.listItems(otherId, 'conv_1')).toEqual([])
  expect([await store.isOfAnother(otherId, 'conv_1'), await store.isOfAnother(userId, 'conv_1')]).toEqual([true, false])
  expect(await store.remove(otherId, 'conv_1')).toBe(false)
})

it('is kept as long as its last turn, and deleted with its items', async () => {
  await create('conv_2')
  const expiresAt = new Date(Date.now() + 86_400_000)
  await store.addItems({ userId, id: 'conv_2', expiresAt }, [itemOf('c')])
  const rows = () => database.db.selectFrom('conversation').select('expires_at').where('id', '=', 'conv_2').execute()
  expect(await rows()).toEqual([{ expires_at: expiresAt }])

  expect(await store.remove(userId, 'conv_2')).toBe(true)

  await store.addItems({ userId, id: 'conv_2', expiresAt }, [itemOf('late')])
  expect([await rows(), await store.listItems(userId, 'conv_2')]).toEqual([[], []])
})
