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
  const notices = await startSharedListener(database.newClient, { log })
  const received: ChangeNotification[] = []
  notices.subscribe({
    onNotification: () => {
      throw new Error('not my day')
    },
  })
  const leave = notices.subscribe({ onNotification: (notice) => received.push(notice) })
  const later: ChangeNotification[] = []
  notices.subscribe({ onNotification: (notice) => later.push(notice) })

  await publish(database.db, { kind: 'session', userId: 1 })
  await expect.poll(() => later.length).toBe(1)
  leave()
  await publish(database.db, { kind: 'session', userId: 2 })
  await expect.poll(() => later.length).toBe(2)
  await notices.stop()

  expect(received).toEqual([{ kind: 'session', userId: 1 }])
  expect(lines.map(({ level }) => level)).toEqual(['error', 'error'])
})
