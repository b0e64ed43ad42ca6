import { messages } from '@tidegate/storage'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { messageJobs } from './messaging-jobs.ts'
import { runJobs } from './run-jobs.ts'

let database: ThrowAwayDatabase
beforeAll(async () => {
  database = await workerDatabase()
})
afterAll(() => database.close())

const log = { info: () => {}, warn: () => {}, error: () => {} }

it('delivers a message to all users', async () => {
  const { db } = database
  const names = ['one', 'two', 'three']
  await db
    .insertInto('user')
    .values(names.map((name) => ({ username: name, display_name: name, aff_code: name })))
    .execute()
  const text = { title: 'High tide', content: 'x', created_by: 1 }
  const { id } = await messages.insert(db, { ...text, target: 'all', state: 'sending' })

  const worker = runJobs({ db, holder: 'one', log }, messageJobs({ db, now: () => new Date() }))
  await expect.poll(async () => (await messages.find(db, id))!.state).toBe('sent')
  await worker.stop()

  const receipts = await db.selectFrom('message_recipient').select('user_id').where('message_id', '=', id).execute()
  expect(receipts).toHaveLength(3)
})
