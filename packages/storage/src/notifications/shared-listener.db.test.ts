import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from 'pg'
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
  const listener = await startSharedListener(database.newClient, { db: database.db, log })
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

describe('a connection that is open but receives nothing', () => {
  /** As behind a connection pooler in transaction mode. */
  let isDeaf = true
  function newClient(): Client {
    const client = database.newClient()
    const emit = client.emit.bind(client)
    client.emit = (event: string, ...values: unknown[]) =>
      isDeaf && event === 'notification' ? true : emit(event, ...values)
    return client
  }

  async function startDeaf() {
    isDeaf = true
    const { log, lines } = recordingLog()
    const listener = await startSharedListener(newClient, { db: database.db, log, echoMs: 20, pollMs: 20 })
    let gaps = 0
    listener.subscribe({ onNotification: () => {}, onGap: () => (gaps += 1) })
    const events = () => lines.map(({ details }) => (details as { event?: string }).event)
    await expect.poll(events).toEqual(['database.listener_deaf'])
    return { listener, events, gaps: () => gaps }
  }

  it('is replaced by polling, which looks several times for a change, because its transaction may end later', async () => {
    const { listener, gaps } = await startDeaf()
    const looksAfterStart = 7
    await expect.poll(gaps).toBe(looksAfterStart)

    await publish(database.db, { kind: 'session', userId: 1 })

    await expect.poll(gaps).toBe(2 * looksAfterStart)
    await listener.stop()
  })

  it('is used again when notifications arrive, after one more look for changes', async () => {
    const { listener, events, gaps } = await startDeaf()
    const before = gaps()

    isDeaf = false

    await expect.poll(events).toEqual(['database.listener_deaf', 'database.listener_hears'])
    expect(gaps()).toBeGreaterThan(before)
    await listener.stop()
  })
})
