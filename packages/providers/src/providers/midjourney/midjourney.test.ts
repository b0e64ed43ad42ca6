import { describe, expect, it } from 'vitest'
import { providerOf } from '../../registry.ts'
import type { UpstreamTaskRequest } from '../../task.ts'
import { failureFromResponse, FAILURES, UpstreamFailure } from '../../upstream/failure.ts'

const provider = providerOf(2)
const imageTasks = provider.tasks!.drawing!
const target = { baseUrl: 'https://draw.example/', key: 'secret', model: 'mj_imagine' }
const submission = (action = 'IMAGINE'): UpstreamTaskRequest => ({ action, path: '/mj/submit/imagine', body: {} })

function failureOf(work: () => unknown): UpstreamFailure {
  try {
    work()
  } catch (error) {
    if (error instanceof UpstreamFailure) return error
    throw error
  }
  throw new Error('there was no failure')
}

describe('the provider record', () => {
  it('builds URLs and escapes task ids in paths', () => {
    expect(provider.authorize(target)).toEqual({ 'mj-api-secret': 'secret' })
    expect(provider.chatApis).toBeUndefined()
    expect(imageTasks.submitUrl(target, submission())).toBe('https://draw.example/mj/submit/imagine')
    expect(imageTasks.pollRequest(target, ['1', 'a/b'])).toEqual({
      url: 'https://draw.example/mj/task/list-by-condition',
      method: 'POST',
      body: '{"ids":["1","a/b"]}',
    })
    expect(imageTasks.seedUrl!(target, 'a/../b?c')).toBe('https://draw.example/mj/task/a%2F..%2Fb%3Fc/image-seed')
  })

  it('suggests more models for the Plus proxy and is otherwise the same', () => {
    const plus = providerOf(5)

    expect(provider.models).toHaveLength(7)
    expect(plus.models).toHaveLength(16)
    expect(plus.models).toEqual(expect.arrayContaining([...provider.models!, 'swap_face', 'mj_pan']))
    expect(plus.tasks).toBe(provider.tasks)
  })
})

describe('accepted submissions', () => {
  it.each([
    { action: 'IMAGINE', code: 1, shown: 1 },
    { action: 'IMAGINE', code: 21, shown: 1 },
    { action: 'IMAGINE', code: 22, shown: 1 },
    { action: 'IMAGINE', code: '1', shown: 1 },
    { action: 'INPAINT', code: 21, shown: 21 },
    { action: 'CUSTOM_ZOOM', code: 21, shown: 21 },
    { action: 'INPAINT', code: 22, shown: 1 },
    { action: 'SWAP_FACE', code: 1, shown: 1 },
  ])('$action with $code is returned as $shown', ({ action, code, shown }) => {
    const body = { code, description: 'well', properties: { discord: 1 }, result: 17_180_000 }

    expect(imageTasks.readSubmission(body, submission(action))).toEqual({
      upstreamId: '17180000',
      code: Number(code),
      body: { ...body, code: shown },
    })
  })

  it('are complete if the proxy has drawn the same image before', () => {
    const properties = { status: 'SUCCESS', imageUrl: 'https://cdn.example/1.png' }

    const accepted = imageTasks.readSubmission(
      { code: 21, description: 'exists', properties, result: '1' },
      submission(),
    )

    expect(accepted.report).toMatchObject({
      upstreamId: '1',
      status: 'SUCCESS',
      progress: 100,
      resultUrl: properties.imageUrl,
    })
    expect(accepted.report!.data).toMatchObject({ id: '1', action: 'IMAGINE', description: 'exists', properties })
  })

  it.each([undefined, null, [], 'SUCCESS', { status: 'IN_PROGRESS' }, { status: ['SUCCESS'] }])(
    'are not complete if the earlier task is %j',
    (properties) => {
      expect(imageTasks.readSubmission({ code: 21, properties, result: '1' }, submission()).report).toBeUndefined()
    },
  )

  it('get an id made from the image URLs for uploads, always the same', () => {
    const result = ['https://cdn.example/a.png', 'https://cdn.example/b.png']
    const body = { code: 1, description: 'success', result }

    const accepted = imageTasks.readSubmission(body, submission('UPLOAD'))

    expect(accepted).toMatchObject({
      code: 1,
      body,
      report: { status: 'SUCCESS', progress: 100, resultUrl: result[0] },
    })
    expect(accepted.upstreamId).toMatch(/^upload-[0-9a-f]{32}$/)
    expect(accepted.report!.upstreamId).toBe(accepted.upstreamId)
    expect(imageTasks.readSubmission(body, submission('UPLOAD')).upstreamId).toBe(accepted.upstreamId)
    expect(imageTasks.readSubmission({ ...body, result: result[1] }, submission('UPLOAD')).upstreamId).not.toBe(
      accepted.upstreamId,
    )
    expect(imageTasks.readSubmission({ ...body, result: '17' }, submission('UPLOAD'))).toMatchObject({
      upstreamId: '17',
    })
  })
})

describe('rejected submissions', () => {
  it.each([
    { code: 3, outcome: 'auth', status: 401 },
    { code: 23, outcome: 'rate', status: 429 },
    { code: 24, outcome: 'client', status: 400 },
    { code: 4, outcome: 'client', status: 400 },
    { code: 0, outcome: 'client', status: 400 },
    { code: -9, outcome: 'client', status: 400 },
    { code: 21, action: 'SWAP_FACE', outcome: 'client', status: 400 },
    { code: 22, action: 'SWAP_FACE', outcome: 'client', status: 400 },
  ])('are failures of the class of their code: $code is $outcome', ({ code, action, outcome, status }) => {
    const failure = failureOf(() =>
      imageTasks.readSubmission({ code, description: 'no', result: '1' }, submission(action)),
    )

    expect(failure).toMatchObject({ kind: 'status', status, message: 'no', error: { code: String(code) } })
    expect(provider.classify(failure)).toBe(outcome)
  })

  it("have a default message, and a length limit for the proxy's message", () => {
    const messageFor = (description: unknown) =>
      failureOf(() => imageTasks.readSubmission({ code: 24, description }, submission())).message

    expect(messageFor(['no'])).toBe('The upstream rejected the task with code 24.')
    expect(messageFor('x'.repeat(1_000_000))).toHaveLength(1000)
  })

  it.each([
    {},
    { code: null, result: '1' },
    { code: [1], result: '1' },
    { code: true, result: '1' },
    { code: 1.5, result: '1' },
    { code: 2 ** 40, result: '1' },
    { code: 'one', result: '1' },
    { code: 1 },
    { code: 1, result: '' },
    { code: 1, result: '..' },
    { code: 1, result: { id: '1' } },
    { code: 1, result: ['https://cdn.example/a.png'] },
    { code: 1, result: 'x'.repeat(100_000) },
  ])('are failures of the provider if the response is invalid: %j', (body) => {
    expect(provider.classify(failureOf(() => imageTasks.readSubmission(body, submission())))).toBe('server')
  })

  it.each([[], ['not an address'], {}, null, undefined, 'x'.repeat(300)])('are uploads without URLs: %j', (result) => {
    expect(failureOf(() => imageTasks.readSubmission({ code: 1, result }, submission('UPLOAD'))).kind).toBe('answer')
  })

  it.each([
    [401, 'auth'],
    [402, 'credit'],
    [429, 'rate'],
    [400, 'client'],
    [500, 'server'],
    [502, 'server'],
  ] as const)('are of the class of their status: %i is %s', (status, outcome) => {
    expect(provider.classify(failureFromResponse(status, '<html>'))).toBe(outcome)
    expect(provider.classify(FAILURES.connect(undefined))).toBe('server')
  })
})

describe('task reports', () => {
  const task = {
    id: '17',
    action: 'IMAGINE',
    status: 'IN_PROGRESS',
    progress: '35%',
    submitTime: 1_718_000_000_000,
    startTime: 1_718_000_001_000,
    finishTime: 0,
    imageUrl: 'https://cdn.example/17.webp',
    failReason: null,
    buttons: [{ customId: 'MJ::JOB::upsample::1' }],
    promptEn: 'a gate',
  }

  it('have one format for polls and callbacks, and keep the original data', () => {
    const report = {
      upstreamId: '17',
      status: 'IN_PROGRESS',
      progress: 35,
      failReason: undefined,
      resultUrl: 'https://cdn.example/17.webp',
      startedAt: new Date(1_718_000_001_000),
      finishedAt: undefined,
      data: task,
    }

    expect(imageTasks.readPoll([task])).toEqual([report])
    expect(imageTasks.readCallback!(task)).toEqual(report)
  })

  it.each([
    ['NOT_START', 'NOT_START'],
    ['SUBMITTED', 'SUBMITTED'],
    ['MODAL', 'MODAL'],
    ['SUCCESS', 'SUCCESS'],
    ['FAILURE', 'FAILURE'],
    ['CANCEL', 'FAILURE'],
    ['DREAMING', 'UNKNOWN'],
    ['__proto__', 'UNKNOWN'],
    [undefined, 'UNKNOWN'],
    [7, 'UNKNOWN'],
  ])('map status %s to %s', (status, read) => {
    expect(imageTasks.readPoll([{ id: '1', status }])).toMatchObject([{ status: read }])
  })

  it('are skipped if they are invalid, without affecting others', () => {
    const body = [null, 'x', [task], {}, { id: {} }, { id: '..' }, { id: 'x'.repeat(300) }, task]

    expect(imageTasks.readPoll(body).map(({ upstreamId }) => upstreamId)).toEqual(['17'])
    expect(imageTasks.readCallback!({ id: ['17'], status: 'SUCCESS' })).toBeUndefined()
  })

  it('accept fields of any type', () => {
    const wrong = { progress: {}, startTime: 'x', finishTime: [], imageUrl: 'javascript:1', failReason: { a: 1 } }

    expect(imageTasks.readPoll([{ id: 1, status: 'FAILURE', ...wrong }])).toEqual([
      { upstreamId: '1', status: 'FAILURE', data: { id: 1, status: 'FAILURE', ...wrong } },
    ])
  })

  it('are empty for no tasks, and fail if the response is not a list', () => {
    expect(imageTasks.readPoll([])).toEqual([])
    expect(imageTasks.readPoll(null)).toEqual([])
    for (const body of [undefined, {}, { code: 4, description: 'x' }, 'text', 1]) {
      expect(failureOf(() => imageTasks.readPoll(body)).kind).toBe('answer')
    }
  })
})
