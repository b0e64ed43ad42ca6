import { logFeed } from '@tidegate/storage'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ExportSite, GO_ON, startExportSite } from '../../test/export-site.ts'
import { createPlanner } from './plan-deliveries.ts'

let site: ExportSite
beforeAll(async () => {
  site = await startExportSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  site.receiver.respond({})
  ;(site.receiver.received as unknown[]).length = 0
  await site.db.deleteFrom('export_destination').execute()
})

const planned = () =>
  site.db.selectFrom('export_delivery').select(['destination_id', 'records', 'state']).orderBy('id').execute()
const receivedIds = () =>
  site.receiver.received.flatMap(({ body }) =>
    (JSON.parse(body) as { data: { requests: { request_id: string }[] } }).data.requests.map((row) => row.request_id),
  )

describe('the safe end of the log', () => {
  it('waits for a transaction that took a lower ID and commits later', async () => {
    const userId = await site.addUser()
    await site.addExport({ url: site.receiver.url })
    await site.serve(userId, ['before'])
    await site.exportAll()
    const slow = site.newClient()
    await slow.connect()
    await slow.query('begin')
    await slow.query(`insert into usage_log (type, user_id, request_id) values (2, ${userId}, 'late')`)
    await site.serve(userId, ['early'])

    await site.exportAll()
    const whileOpen = receivedIds()
    await slow.query('commit')
    await slow.end()
    await site.exportAll()

    expect(whileOpen).toEqual(['before'])
    expect(receivedIds()).toEqual(['before', 'late', 'early'])
  })

  it('is not delayed by transactions that began after it was read', async () => {
    const safeLogId = logFeed.followSafeLogId()
    const userId = await site.addUser()
    await site.serve(userId, ['first'])
    const [one, two] = [site.newClient(), site.newClient()]
    for (const client of [one, two]) {
      await client.connect()
      await client.query('begin')
    }
    const insert = `insert into usage_log (type, user_id) values (2, ${userId}) returning id`
    await one.query(insert)
    const end = await logFeed.lastLogId(site.db)
    const before = await safeLogId(site.db)
    await two.query(insert)
    await one.query('commit')

    expect(before).toBeLessThan(end)
    expect(await safeLogId(site.db)).toBe(end)
    await two.query('rollback')
    await Promise.all([one.end(), two.end()])
  })

  it('includes rows with old times, such as those of a journal that was applied late', async () => {
    const userId = await site.addUser()
    await site.addExport({ url: site.receiver.url })
    await site.serve(userId, ['today'])
    await site.exportAll()
    const yesterday = new Date(Date.now() - 86_400_000)
    await site.makePartition(yesterday)
    await site.db
      .insertInto('usage_log')
      .values({ type: 2, user_id: userId, request_id: 'yesterday', created_at: yesterday, other: '{}' })
      .execute()

    await site.exportAll()

    expect(receivedIds()).toEqual(['today', 'yesterday'])
  })
})

describe('planning', () => {
  it('starts with the first request after a destination was added', async () => {
    const userId = await site.addUser()
    await site.serve(userId, ['old'])
    await site.addExport({ url: site.receiver.url })
    await site.serve(userId, ['new'])

    await site.exportAll()

    expect(receivedIds()).toEqual(['new'])
  })

  it('adds rows to a delivery that was not attempted, and to no other', async () => {
    const userId = await site.addUser()
    await site.addExport({ url: site.receiver.url })
    await site.serve(userId, ['a'])
    await site.plan(GO_ON)
    await site.serve(userId, ['b', 'c'])
    await site.plan(GO_ON)
    expect(await planned()).toMatchObject([{ records: 3 }])

    site.receiver.respond({ status: 503 })
    await site.exportAll()
    await site.serve(userId, ['d'])
    await site.plan(GO_ON)

    expect(await planned()).toMatchObject([{ records: 3 }, { records: 1 }])
  })

  it('plans each row once with several workers', async () => {
    const userId = await site.addUser()
    await site.addExport({ url: site.receiver.url })
    await site.serve(
      userId,
      Array.from({ length: 30 }, (_, index) => `r${index}`),
    )
    const workers = Array.from({ length: 4 }, () => createPlanner(site.deps))

    await Promise.all(workers.map((plan) => plan(GO_ON)))
    await site.exportAll()

    expect(receivedIds()).toHaveLength(30)
    expect(new Set(receivedIds()).size).toBe(30)
  })

  it('keeps the position of a destination that is down, instead of a growing queue', async () => {
    const userId = await site.addUser()
    await site.addExport({ url: site.receiver.url })
    site.receiver.respond({ status: 503 })
    for (let round = 0; round < 8; round += 1) {
      await site.serve(userId, [`r${round}`])
      await site.exportAll()
    }
    expect(await planned()).toMatchObject([{ records: 1 }, { records: 7 }])

    site.receiver.respond({})
    ;(site.receiver.received as unknown[]).length = 0
    await site.exportAll()
    await site.exportAll()

    expect(new Set(receivedIds())).toEqual(new Set(Array.from({ length: 8 }, (_, round) => `r${round}`)))
  })

  it('queues a few deliveries of at most 1,000 rows at a time', async () => {
    const userId = await site.addUser()
    await site.addExport({ url: site.receiver.url })
    await site.serve(
      userId,
      Array.from({ length: 7_100 }, (_, index) => `r${index}`),
    )

    await site.plan(GO_ON)

    const records = (await planned()).map((row) => row.records)
    expect(records).toHaveLength(5)
    expect(Math.max(...records)).toBeLessThanOrEqual(1_000)
    for (let round = 0; round < 4; round += 1) await site.exportAll()
    expect(new Set(receivedIds()).size).toBe(7_100)
    expect(receivedIds()).toHaveLength(7_100)
  })

  it('resets a position beyond the end of the log, as after a restore without the log', async () => {
    const userId = await site.addUser()
    const { id } = await site.addExport({ url: site.receiver.url })
    await site.db.updateTable('export_destination').set({ cursor_id: 1_000_000 }).where('id', '=', id).execute()

    await createPlanner(site.deps)(GO_ON)
    await site.serve(userId, ['after restore'])
    await site.exportAll()

    expect(receivedIds()).toEqual(['after restore'])
  })

  it('skips channel tests and failed attempts of requests that went on', async () => {
    const userId = await site.addUser()
    await site.addExport({ url: site.receiver.url })
    await site.serve(userId, ['test'], { log: { other: { test: true } } })
    await site.serve(userId, ['retried'], { log: { type: 6, other: { not_final: true } } })
    await site.serve(userId, ['failed'], { log: { type: 6, other: { error_code: 'no_channel' } } })

    await site.exportAll()

    expect(receivedIds()).toEqual(['failed'])
  })

  it('leaves out failed requests if the destination does not want them', async () => {
    const userId = await site.addUser()
    await site.addExport({ url: site.receiver.url, options: { include_failed: false } as never })
    await site.serve(userId, ['failed'], { log: { type: 6, other: {} } })
    await site.serve(userId, ['served'])

    await site.exportAll()

    expect(receivedIds()).toEqual(['served'])
  })
})
