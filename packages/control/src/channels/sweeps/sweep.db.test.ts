import { api, type ProbeResult } from '@tidegate/contract'
import { channelSweeps } from '@tidegate/storage'
import { addChannel, type ApiClient } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../../test/start-site.ts'
import { probeDisabledChannels } from '../probe/probe-disabled.ts'
import { createSweeps } from './sweep.ts'

/** Progress is stored twice a second, and this machine may be busy. */
const SOON = { timeout: 20_000 }

let site: TestSite
let root: ApiClient
/** Test results by channel id; others pass. */
let results: Map<number, Partial<ProbeResult> | Promise<Partial<ProbeResult>>>
let tested: number[]
beforeAll(async () => {
  site = await startTestSite({
    probe: async ({ channelId, signal }) => {
      tested.push(channelId)
      const given = Promise.withResolvers<Partial<ProbeResult>>()
      signal.addEventListener('abort', () => given.resolve({ ok: false, message: 'given up' }))
      const result = await Promise.race([results.get(channelId) ?? {}, given.promise])
      return { ok: true, message: '', milliseconds: 10, ...result }
    },
  })
  await site.initialise()
  root = await site.signedIn('root')
  for (const key of ['AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled']) {
    await root.call(api.updateOption, { body: { key, value: true } })
  }
})
afterAll(() => site.close())
beforeEach(async () => {
  results = new Map()
  tested = []
  await site.db.deleteFrom('channel').execute()
  await site.db.deleteFrom('message').execute()
})
afterEach(() => waitForEnd())

const add = async (status = 1, changes: object = {}) => {
  const { id } = await addChannel(root, { url: 'http://127.0.0.1:9' }, { models: 'm', ...changes })
  const other_info = JSON.stringify(status === 3 ? { status_reason: 'x', status_time: 1 } : {})
  await site.db.updateTable('channel').set({ status, other_info }).where('id', '=', id).execute()
  return id
}
/** In order, so that the first one is visited first. */
async function addMany(count: number): Promise<number[]> {
  const ids: number[] = []
  while (ids.length < count) ids.push(await add())
  return ids
}
const start = () => root.send(api.testAllChannels)
const progress = () => root.call(api.getTestProgress)
const waitForEnd = () => expect.poll(async () => (await progress()).running, SOON).toBe(false)
const statuses = async () =>
  (await site.db.selectFrom('channel').select('status').orderBy('id').execute()).map(({ status }) => status)
const titles = async () => (await site.db.selectFrom('message').select('title').execute()).map(({ title }) => title)

/** The message is the last thing that a run writes; the next test must not find it. */
const waitForFinishMessage = () => expect.poll(titles, SOON).toContain('渠道测试已完成')

describe('a test of all channels', () => {
  it('tests enabled and automatically disabled channels and applies the results', async () => {
    const [good, rejected, byHand, back, stillBad] = [
      await add(),
      await add(),
      await add(2),
      await add(3),
      await add(3),
    ]
    const imageChannel = await add()
    await site.db.updateTable('channel').set({ type: 2 }).where('id', '=', imageChannel).execute()
    results.set(rejected, { ok: false, message: 'no such key', status: 401 })
    results.set(stillBad, { ok: false, message: 'no such key', status: 401 })

    expect((await start()).envelope).toEqual({ success: true, message: '' })
    await waitForEnd()

    expect(tested.toSorted((a, b) => a - b)).toEqual([good, rejected, back, stillBad])
    expect(tested).not.toContain(byHand)
    expect(await statuses()).toEqual([1, 3, 2, 1, 3, 1])
    expect(await progress()).toMatchObject({ running: false, done: 4, total: 4, failed: 2, cancelled: false })
    await expect.poll(titles, SOON).toContain('渠道测试已完成')
  })

  it('runs once at a time, reports progress and can be cancelled', async () => {
    const ids = await addMany(6)
    for (const id of ids.slice(1)) results.set(id, new Promise(() => {}))
    await start()
    await expect.poll(async () => (await progress()).done, SOON).toBe(1)

    expect((await start()).envelope).toMatchObject({ success: false, code: 'sweep_running' })
    const running = await progress()
    expect(running).toMatchObject({ running: true, total: 6, failed: 0, cancelled: false, finished_time: 0 })
    expect(running.current).not.toBe('')
    expect(running.started_time).toBeGreaterThan(0)

    await root.call(api.cancelTests)
    await waitForEnd()
    expect(await progress()).toMatchObject({ running: false, done: 1, cancelled: true, current: '' })
    expect(tested.length).toBeLessThan(7)
    expect(await statuses()).toEqual([1, 1, 1, 1, 1, 1])
    await expect.poll(titles, SOON).toEqual(['渠道测试已取消'])
    expect((await root.send(api.cancelTests)).envelope).toMatchObject({ code: 'sweep_not_running' })
  })

  it('limits concurrency', async () => {
    const ids = await addMany(10)
    const gates = new Map(ids.map((id) => [id, Promise.withResolvers<Partial<ProbeResult>>()]))
    for (const [id, gate] of gates) results.set(id, gate.promise)
    await start()
    await expect.poll(() => tested.length, SOON).toBe(4)

    gates.get(tested[0]!)!.resolve({})
    await expect.poll(() => tested.length, SOON).toBe(5)

    for (const gate of gates.values()) gate.resolve({})
    await waitForFinishMessage()
    expect(tested).toHaveLength(10)
  })

  it('ends when its process is gone', async () => {
    expect(await channelSweeps.start(site.db, 'test', 'a process that died')).toBe(true)
    expect((await start()).envelope).toMatchObject({ success: false, code: 'sweep_running' })
    expect((await progress()).running).toBe(true)

    await site.db
      .updateTable('channel_sweep')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute()

    expect((await progress()).running).toBe(false)
    expect((await start()).envelope).toMatchObject({ success: true })
    await waitForFinishMessage()
  })

  it('ends with its process, and another can start at once', async () => {
    const id = await add()
    const sweeps = createSweeps(site.deps)
    const visited = Promise.withResolvers<void>()
    await sweeps.start({
      kind: 'test',
      items: async () => [{ id, name: 'x' }],
      visit: (_item, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(false))
          visited.resolve()
        }),
    })
    await visited.promise

    await sweeps.stop()

    expect(await progress()).toMatchObject({ running: false, done: 0, cancelled: true })
    expect((await start()).envelope).toMatchObject({ success: true })
    await waitForFinishMessage()
  })

  it('stops when another node took over', async () => {
    const ids = await addMany(3)
    for (const id of ids) results.set(id, new Promise(() => {}))
    await start()
    await expect.poll(() => tested.length, SOON).toBe(3)

    await site.db.updateTable('channel_sweep').set({ holder: 'another' }).execute()

    await expect.poll(titles, SOON).toEqual(['渠道测试已取消'])
    await site.db.updateTable('channel_sweep').set({ finished_at: new Date() }).execute()
  })
})

describe('a refresh of all balances', () => {
  it('needs an upstream client and has its own progress', async () => {
    expect((await root.send(api.refreshAllBalances)).envelope).toMatchObject({ code: 'upstream_calls_off' })
    expect(await root.call(api.getBalanceProgress)).toMatchObject({ running: false, total: 0, started_time: 0 })
    expect((await root.send(api.cancelBalances)).envelope).toMatchObject({ code: 'sweep_not_running' })
  })
})

describe('automatically disabled channels', () => {
  const goOn = new AbortController().signal

  it('are tested periodically and enabled when they pass', async () => {
    const [good, bad, byHand] = [await add(3), await add(3), await add(2)]
    results.set(bad, { ok: false, message: 'no' })

    expect(await probeDisabledChannels(site.deps, goOn)).toBe(1)

    expect(tested.toSorted((a, b) => a - b)).toEqual([good, bad])
    expect(await statuses()).toEqual([1, 3, 2])
    expect(tested).not.toContain(byHand)
    expect(await titles()).toEqual([expect.stringContaining('已恢复启用')])

    tested = []
    await probeDisabledChannels(site.deps, goOn)
    expect(tested).toEqual([])
  })

  it('stay disabled while automatic enabling is off, and without a gateway', async () => {
    await add(3)

    expect(await probeDisabledChannels({ ...site.deps, probe: undefined }, goOn)).toBe(0)
    await root.call(api.updateOption, { body: { key: 'AutomaticEnableChannelEnabled', value: false } })
    expect(await probeDisabledChannels(site.deps, goOn)).toBe(0)
    await root.call(api.updateOption, { body: { key: 'AutomaticEnableChannelEnabled', value: true } })

    expect(tested).toEqual([])
  })
})
