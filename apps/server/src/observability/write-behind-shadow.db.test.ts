import type { ShadowRow } from '@tidegate/gateway'
import { shadowSums } from '@tidegate/storage'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeBehindShadow } from './write-behind-shadow.ts'
import type { ServerNode } from '../process/node.ts'

const ROOM = 10_000
const row: ShadowRow = {
  requestId: 'r',
  createdAt: new Date('2026-05-04T12:00:00Z'),
  userId: 1,
  tokenId: 2,
  path: `/v1/${'v1/'.repeat(1000)}chat/completions`,
  model: 'tide\u0000-1\ud800',
  isStream: true,
  group: 'default',
  channelId: 3,
  upstreamModel: 'tide-1',
  promptTokens: 10,
  reserve: 20,
  refusal: null,
  pricing: null,
}

let database: ThrowAwayDatabase
beforeAll(async () => {
  database = await workerDatabase()
})
afterAll(() => database.close())

it('stores rows up to its capacity, and counts dropped ones', async () => {
  const log = { info() {}, warn() {}, error() {} }
  const { db } = database
  const queue = writeBehindShadow({ storage: { database }, log } as unknown as Pick<ServerNode, 'storage' | 'log'>)

  for (let call = 0; call < ROOM + 5; call += 1) queue.record(row)
  await queue.stop()

  expect(await shadowSums.total(db, {})).toMatchObject({ calls: ROOM })
  expect(await shadowSums.countDropped(db, {})).toBe(5)
  const stored = await db.selectFrom('shadow_call').selectAll().limit(1).executeTakeFirstOrThrow()
  expect(stored).toMatchObject({ model_name: 'tide-1\ufffd', is_stream: true, channel_id: 3, pricing: null })
  expect(stored.path).toHaveLength(300)
})
