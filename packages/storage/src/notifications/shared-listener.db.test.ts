import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { publish, type ChangeNotification } from './change-notifications.ts'
import { recordingLog } from '../../test/recording-log.ts'
import { startSharedListener } from './shared-listener.ts'

let database: ThrowAwayDatabase
beforeAll(async () => {
  database = await workerDatabase()
})
afterAll(() => database.close())

it('notifies every subscriber until it unsubscribes, even when another one throws', async () => {
  const { log, lines } = recordingLog()
  const listener = await startSharedListener(database.newClient, { log })
  const received: ChangeNotification[] = []
  listener.subscribe({
    onNotification: () => {
      throw new Error('not my day')
    },
  })
  const unsubscribe = listener.subscribe({ onNotification: (notification) => received.push(notification) })
  const later: ChangeNotification[] = []
  listener.subscribe({ onNotification: (notification) => later.push(notification) })

  await publish(database.db, { kind: 'session', userId: 1 })
  await expect.poll(() => later.length).toBe(1)
  unsubscribe()
  await publish(database.db, { kind: 'session', userId: 2 })
  await expect.poll(() => later.length).toBe(2)
  await listener.stop()

  expect(received).toEqual([{ kind: 'session', userId: 1 }])
  expect(lines.map(({ level }) => level)).toEqual(['error', 'error'])
})
