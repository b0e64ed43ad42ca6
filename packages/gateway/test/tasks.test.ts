import { ApiError } from '@tidegate/contract'
import { fakeTaskProvider, type FakeTaskProvider, type SubmissionScript } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CatalogChannel, ErrorLogRow } from '../src/ports/index.ts'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestGateway } from './support/gateway.ts'
import { MemoryTasks } from './support/tasks.ts'

const PRICE = 50_000

let providers: FakeTaskProvider[]
let tasks: MemoryTasks
let gateway: TestGateway
const disable = vi.fn()
const fetchMedia = vi.fn(() => Promise.resolve({ mediaType: 'image/png', data: 'AAAA' }))

beforeEach(async () => {
  providers = await Promise.all([fakeTaskProvider(), fakeTaskProvider()])
  tasks = new MemoryTasks()
  disable.mockClear()
  fetchMedia.mockClear()
})
afterEach(async () => {
  expect(gateway.credit.mistakes).toEqual([])
  await gateway.close()
  await Promise.all(providers.map((provider) => provider.close()))
})

function channelTo(provider: number, overrides: Partial<CatalogChannel> = {}): CatalogChannel {
  const { url, key } = providers[provider]!
  const models = ['mj_imagine', 'mj_upscale', 'mj_inpaint', 'mj_modal']
  return aChannel({ id: provider + 1, type: 5, baseUrl: url, keys: [key], models, priority: -provider, ...overrides })
}

async function start({ settings, ...options }: Partial<Parameters<typeof startGateway>[0]> = {}): Promise<void> {
  gateway = await startGateway({
    channels: [channelTo(0), channelTo(1)],
    tasks,
    disable,
    fetchMedia,
    settings: { RetryTimes: 2, ...settings },
    ...options,
  })
}

const submit = (body: object = { prompt: 'a lighthouse' }, path = '/mj/submit/imagine') =>
  gateway.send({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const submissions = () => providers.map(({ submissions }) => submissions.length)

describe('a task submission', () => {
  it('is stored, reserved and written to the journal before the provider is called', async () => {
    await start()
    let seen: object | undefined
    tasks.beforeWrite = (what) => {
      if (what === 'take')
        seen = { held: gateway.credit.entries[0]?.amount, checkpoints: gateway.credit.entries[0]?.checkpoints.length }
    }

    expect((await submit()).status).toBe(200)

    expect(seen).toEqual({ held: PRICE, checkpoints: 1 })
    expect(gateway.credit.entries[0]?.checkpoints[0]).toMatchObject({ receipt: { quota: PRICE }, log: { taskId: 1 } })
    expect(gateway.credit.settled[0]).toMatchObject({
      receipt: { quota: PRICE },
      log: { modelName: 'mj_imagine', channelId: 1, taskId: 1 },
    })
    expect(gateway.credit.settled[0]?.log.content).toMatch(/^model price 0\.10, group ratio 1\.00, IMAGINE, task \d+/)
  })

  it.each<[string, SubmissionScript]>([
    ['is full', { code: 23 }],
    ['has no account left', { code: 3 }],
    ['responds with 500', { httpStatus: 500 }],
    ['is too busy', { httpStatus: 429 }],
  ])('is sent to another channel when one %s', async (_, script) => {
    await start()
    providers[0]!.nextSubmission(script)

    expect((await submit()).status).toBe(200)

    expect(submissions()).toEqual([1, 1])
    expect(tasks.entries).toMatchObject([{ accepted: { channelId: 2 } }])
    expect(gateway.credit.states()).toEqual(['settled'])
  })

  it('disables a channel without accounts', async () => {
    await start({ settings: { AutomaticDisableChannelEnabled: true } })
    providers[0]!.nextSubmission({ code: 3, description: 'no account' })

    await submit()

    expect(disable).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ channelId: 1 }))
  })

  it.each<[string, SubmissionScript]>([
    ['breaks', { cut: true }],
    ['sends an unreadable response', { body: '<html>' }],
  ])('is sent to no other channel when its provider %s: it may have been accepted', async (_, script) => {
    await start()
    providers[0]!.nextSubmission(script)

    expect((await submit()).status).toBe(400)

    expect(submissions()).toEqual([1, 0])
    expect(gateway.credit.states()).toEqual(['released'])
    expect(tasks.entries).toMatchObject([{ rejected: { channelId: 1 } }])
  })

  it("is rejected with the provider's error for banned words, and tried nowhere else", async () => {
    await start()
    providers[0]!.nextSubmission({ code: 24, description: 'banned: kraken' })

    const { status, json } = await submit()

    expect({ status, json }).toMatchObject({ status: 400, json: { code: 24, type: 'upstream_error' } })
    expect(json.description).toContain('banned: kraken')
    expect(submissions()).toEqual([1, 0])
    expect(tasks.entries).toMatchObject([{ rejected: { code: 24, channelId: 1 } }])
  })

  it('calls no provider when it cannot be stored, and keeps nothing reserved', async () => {
    await start()
    tasks.beforeWrite = () => {
      throw new Error('the database is away')
    }

    expect((await submit()).json).toMatchObject({ reason: 'settlement_unavailable' })

    expect(submissions()).toEqual([0, 0])
    expect(gateway.credit.states()).toEqual(['released'])
  })

  it('is stored again if accepted but not stored, and costs nothing when that fails', async () => {
    await start()
    let failures = 2
    tasks.beforeWrite = (what) => {
      if (what === 'take' && failures-- > 0) throw new Error('the database is away')
    }
    expect((await submit()).status).toBe(200)

    failures = 99
    expect((await submit()).json).toMatchObject({ reason: 'settlement_unavailable' })
    expect(gateway.credit.states()).toEqual(['settled', 'released'])
  })

  it('continues when its client disconnects', async () => {
    await start()
    providers[0]!.nextSubmission({})
    const abort = new AbortController()
    const left = fetch(`${gateway.url}/mj/submit/imagine`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}` },
      body: JSON.stringify({ prompt: 'x' }),
      signal: abort.signal,
    }).catch(() => 'left')
    await expect.poll(() => tasks.entries.length).toBe(1)
    abort.abort()
    await left

    await expect.poll(() => gateway.credit.states()).toEqual(['settled'])
  })

  it('does not block a process that has to stop', async () => {
    await start()
    providers[0]!.nextSubmission({ stall: true })
    const waiting = submit()
    await expect.poll(() => submissions()[0]).toBe(1)

    await gateway.gateway.drain(1)

    expect((await waiting).json).toMatchObject({ reason: 'service_unavailable' })
    expect(gateway.credit.states()).toEqual(['released'])
    expect(tasks.entries).toMatchObject([{ rejected: { channelId: 1 } }])
  })

  it('needs enough credit', async () => {
    await start()
    gateway.credit.balance = PRICE - 1

    expect((await submit()).json).toMatchObject({ reason: 'insufficient_user_quota' })
    expect(submissions()).toEqual([0, 0])
    expect(tasks.entries).toEqual([])
  })

  it('costs the price of its model in its group', async () => {
    await start({
      settings: { ModelPrice: { mj_imagine: 0.4 }, GroupRatio: { default: 0.5 } },
    })

    await submit()

    expect(gateway.credit.settled[0]?.receipt.quota).toBe(100_000)
  })
})

describe('a continuation of a task', () => {
  async function anImageTask(channels: readonly CatalogChannel[]): Promise<string> {
    await start({ channels })
    providers[0]!.nextSubmission({ code: 23 })
    const { json } = await submit()
    await tasks.report({ id: 1 }, { upstreamId: json.result, status: 'SUCCESS', data: null })
    return json.result as string
  }

  it('is sent to the channel of that task, and to no other', async () => {
    const taskId = await anImageTask([channelTo(0), channelTo(1)])
    providers[1]!.nextSubmission({ code: 23 })

    expect((await submit({ taskId, action: 'UPSCALE', index: 1 }, '/mj/submit/change')).status).not.toBe(200)

    expect(submissions()).toEqual([1, 2])
  })

  it('is free if it opens a modal, and the modal request is billed', async () => {
    const taskId = await anImageTask([channelTo(0), channelTo(1)])

    await submit({ taskId, customId: 'MJ::Inpaint::1::x' }, '/mj/submit/action')
    await submit({ taskId, prompt: 'with a boat' }, '/mj/submit/modal')

    expect(gateway.credit.settled.map(({ receipt }) => receipt.quota)).toEqual([PRICE, 0, PRICE])
  })

  it('is rejected for the task of another user', async () => {
    await start()

    const { json } = await submit({ taskId: 'x', action: 'REROLL' }, '/mj/submit/change')

    expect(json).toMatchObject({ reason: 'task_not_exist' })
    expect(gateway.credit.entries).toEqual([])
  })
})

describe('the body for the provider', () => {
  const body = {
    prompt: 'sea --fast --ar 1:1 --TURBO',
    accountFilter: { modes: ['FAST'] },
    notifyHook: 'https://mine.example',
  }

  it.each([
    [{}, { prompt: body.prompt }],
    [{ MjModeClearEnabled: true }, { prompt: 'sea --ar 1:1' }],
    [{ MjAccountFilterEnabled: true }, { prompt: body.prompt, accountFilter: body.accountFilter }],
    [{ MjNotifyEnabled: true }, { prompt: body.prompt, notifyHook: 'https://mine.example' }],
  ])('follows the settings: %o sends %o', async (settings, expected) => {
    await start({ settings })

    await submit({ state: 'kept', ...body })

    expect(providers[0]!.submissions[0]?.body).toEqual({ state: 'kept', ...expected })
  })

  it('contains a callback URL where callbacks are enabled', async () => {
    await start({ settings: { MjNotifyEnabled: true, ServerAddress: 'https://gate.example' } })

    await submit()

    expect(providers[0]!.submissions[0]?.body).toMatchObject({
      notifyHook: 'https://gate.example/mj/notify?task=1&key=callback',
    })
  })
})

describe('an image', () => {
  let errorRows: ErrorLogRow[]
  beforeEach(async () => {
    errorRows = []
    await start({ recordError: (row) => errorRows.push(row) })
    const { json } = await submit()
    await tasks.report(
      { id: 1 },
      { upstreamId: json.result, status: 'SUCCESS', resultUrl: 'https://a.example/1.png', data: {} },
    )
  })
  const show = (key: string) => gateway.send({ path: `/mj/image/${tasks.entries[0]!.accepted!.upstreamId}?key=${key}` })

  it('is served to anyone with its URL, with headers that prevent scripts', async () => {
    const { status, headers } = await show('view')

    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=86400, immutable',
    })
    expect(fetchMedia).toHaveBeenCalledExactlyOnceWith('https://a.example/1.png', expect.anything())
  })

  it.each(['image/svg+xml', 'text/plain', 'application/pdf'])('is not shown if its type is %s', async (mediaType) => {
    fetchMedia.mockResolvedValueOnce({ mediaType, data: 'AAAA' })

    expect((await show('view')).status).toBe(400)
  })

  it.each(['', 'callback', 'views'])('is not served with the key %j', async (key) => {
    expect((await show(key)).status).toBe(403)
    expect(fetchMedia).not.toHaveBeenCalled()
  })

  it('that cannot be fetched is not recorded as a rejected request', async () => {
    fetchMedia.mockRejectedValueOnce(new ApiError('media_unavailable', { reason: 'it was not found' }))

    expect((await show('view')).status).toBe(400)
    expect((await show('')).status).toBe(403)
    expect(errorRows).toEqual([])
    expect((await gateway.send({ path: '/mj/task/1/fetch' })).status).toBe(401)
    expect(errorRows).toHaveLength(1)
  })
})
