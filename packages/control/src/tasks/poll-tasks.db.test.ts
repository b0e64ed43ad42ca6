import { api } from '@tidegate/contract'
import { createUpstreamClient } from '@tidegate/providers'
import { channelKeyHash, newTaskSecret, tasks } from '@tidegate/storage'
import { fakeTaskProvider, type ApiClient, type FakeTaskProvider } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'
import { pollTasks, type PollDeps } from './poll-tasks.ts'

let site: TestSite
let provider: FakeTaskProvider
let user: ApiClient
let channelId: number
let deps: PollDeps
const upstream = createUpstreamClient({ allowPrivateAddresses: true })
const forever = new AbortController().signal

beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  provider = await fakeTaskProvider()
  const admin = await site.signedIn('admin')
  user = await site.signedIn('user')
  const body = { type: 5, name: 'images', key: provider.key, models: 'mj_imagine', base_url: provider.url }
  await admin.call(api.createChannel, { body: { ...body, group: 'default' } })
  channelId = (await admin.call(api.searchChannels)).find(({ name }) => name === 'images')!.id
  deps = { ...site.deps, upstream }
})
afterAll(async () => {
  await upstream.close()
  await site.close()
  await provider.close()
})
beforeEach(async () => {
  await site.db.deleteFrom('task').execute()
})

/** Submits at the provider like the gateway. */
async function aTask({ channel = channelId, ageMs = 0, deadlineMs = 3_600_000 } = {}): Promise<{
  id: number
  name: string
}> {
  const response = await fetch(`${provider.url}/mj/submit/imagine`, {
    method: 'POST',
    headers: { 'mj-api-secret': provider.key, 'content-type': 'application/json' },
    body: '{"prompt":"x"}',
  })
  const { result: name } = (await response.json()) as { result: string }
  const now = Date.now()
  const id = await tasks.insert(site.db, {
    kind: 'drawing',
    userId: user.userId!,
    tokenId: 0,
    requestId: `request-${name}`,
    action: 'IMAGINE',
    model: 'mj_imagine',
    prompt: 'x',
    properties: {},
    secret: newTaskSecret(),
    quota: 0,
    deadline: new Date(now + deadlineMs),
  })
  await tasks.markSubmitted(site.db, id, {
    channelId: channel,
    keyHash: channelKeyHash(site.deps.vault, provider.key),
    upstreamId: name,
    status: 'SUBMITTED',
    code: 1,
    quota: 0,
    pollAt: new Date(now - 1),
    deadline: new Date(now + deadlineMs),
  })
  if (ageMs > 0) {
    const submitted_at = new Date(now - ageMs)
    await site.db.updateTable('task').set({ submitted_at }).where('id', '=', id).execute()
  }
  return { id, name }
}

const rowOf = async (id: number) => (await tasks.find(site.db, id))!

describe('a polling round', () => {
  it('sends one request for all due tasks of a provider and updates them', async () => {
    const [going, done] = await Promise.all([aTask(), aTask(), aTask()])
    provider.advance(going.name, { status: 'IN_PROGRESS', progress: 30 })
    provider.advance(done.name, { status: 'SUCCESS', imageUrl: 'https://pictures.example/1.png' })
    const before = provider.polls.length

    const result = await pollTasks(deps, forever)

    expect(provider.polls.slice(before).map(({ ids }) => ids.length)).toEqual([3])
    expect(result).toMatchObject({ polled: 3, ended: 1 })
    expect(await rowOf(going.id)).toMatchObject({ status: 'IN_PROGRESS', progress: 30 })
    expect(await rowOf(done.id)).toMatchObject({ status: 'SUCCESS', progress: 100 })
  })

  it('skips tasks that are not due or have ended', async () => {
    const { id, name } = await aTask()
    provider.advance(name, { status: 'SUCCESS' })
    await pollTasks(deps, forever)
    const before = provider.polls.length

    await site.db
      .updateTable('task')
      .set({ next_poll_at: new Date(0) })
      .where('id', '=', id)
      .execute()
    await pollTasks(deps, forever)
    await aTask()
    await pollTasks(deps, forever)
    await pollTasks(deps, forever)

    expect(provider.polls).toHaveLength(before + 1)
  })

  it.each([
    [0, 2.5, 4],
    [100_000, 12, 18],
    [3_000_000, 50, 70],
  ])('polls a task of %i ms again after %d to %d seconds', async (ageMs, min, max) => {
    const { id } = await aTask({ ageMs })
    const now = Date.now()

    await pollTasks({ ...deps, now: () => new Date(now) }, forever)

    const seconds = ((await rowOf(id)).next_poll_at!.getTime() - now) / 1000
    expect(seconds).toBeGreaterThanOrEqual(min)
    expect(seconds).toBeLessThanOrEqual(max)
  })

  it('shares no task with concurrent rounds', async () => {
    await Promise.all(Array.from({ length: 10 }, () => aTask()))
    const before = provider.polls.length

    await Promise.all([1, 2, 3, 4].map(() => pollTasks(deps, forever)))

    expect(provider.polls.slice(before).flatMap(({ ids }) => ids)).toHaveLength(10)
  })

  it.each([{ httpStatus: 500 }, { body: '<html>' }, { cut: true }, { body: [{ id: 7 }, null, 'x'] }])(
    'retries after the provider response %o',
    async (script) => {
      const { id, name } = await aTask()
      provider.advance(name, { status: 'SUCCESS' })
      provider.nextInquiry(script)

      await pollTasks(deps, forever)
      expect((await rowOf(id)).status).toBe('SUBMITTED')

      await site.db
        .updateTable('task')
        .set({ next_poll_at: new Date(0) })
        .where('id', '=', id)
        .execute()
      await pollTasks(deps, forever)
      expect((await rowOf(id)).status).toBe('SUCCESS')
    },
  )

  it('fails overdue tasks and tasks without a channel', async () => {
    const late = await aTask({ deadlineMs: -1 })
    const lost = await aTask({ channel: 987_654 })

    const result = await pollTasks(deps, forever)

    expect(result).toMatchObject({ ended: 1, overdue: 1 })
    expect(await rowOf(late.id)).toMatchObject({ status: 'FAILURE', fail_reason: 'the task was not finished in time' })
    expect(await rowOf(lost.id)).toMatchObject({
      status: 'FAILURE',
      fail_reason: expect.stringContaining('no longer exists'),
    })
    expect(site.problems).toEqual([])
  })
})
