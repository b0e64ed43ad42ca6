import { describe, expect, it } from 'vitest'
import { providerOf } from '../registry.ts'
import { UpstreamFailure } from '../upstream/failure.ts'

const provider = providerOf(36)
const music = provider.tasks!.music!
const target = { baseUrl: 'https://songs.example/', key: 'secret', model: 'suno_music' }
const submission = { action: 'MUSIC', path: '/suno/submit/music', body: {} }

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
  it('builds URLs', () => {
    expect(provider).toMatchObject({ baseUrl: '', models: ['suno_music', 'suno_lyrics'] })
    expect(provider.authorize(target)).toEqual({ authorization: 'Bearer secret' })
    expect(music.submitUrl(target, submission)).toBe('https://songs.example/suno/submit/MUSIC')
    expect(music.submitUrl(target, { ...submission, action: '../x' })).toBe('https://songs.example/suno/submit/..%2Fx')
    expect(music.pollRequest(target, ['a', 'b'])).toEqual({
      url: 'https://songs.example/suno/fetch',
      method: 'POST',
      body: '{"ids":["a","b"]}',
    })
  })
})

describe('submissions', () => {
  it('return the task id', () => {
    const body = { code: 'success', data: 'b4c1', message: '' }

    expect(music.readSubmission(body, submission)).toEqual({ upstreamId: 'b4c1', code: 1, body })
  })

  it.each([
    { code: 'insufficient_user_quota', outcome: 'credit', status: 402 },
    { code: 'invalid_api_key', outcome: 'auth', status: 401 },
    { code: 'UNAUTHORIZED', outcome: 'auth', status: 401 },
    { code: 401, outcome: 'auth', status: 401 },
    { code: 'rate_limit_exceeded', outcome: 'rate', status: 429 },
    { code: '429', outcome: 'rate', status: 429 },
    { code: 'invalid_request', outcome: 'client', status: 400 },
    { code: 'task_not_exist', outcome: 'client', status: 400 },
    { code: 'generate_failed', outcome: 'server', status: 500 },
    { code: 'fail', outcome: 'server', status: 500 },
    { code: 0, outcome: 'server', status: 500 },
  ])('rejected with $code are failures of class $outcome', ({ code, outcome, status }) => {
    const failure = failureOf(() => music.readSubmission({ code, message: 'no', data: 'b4c1' }, submission))

    expect(failure).toMatchObject({ kind: 'status', status, message: 'no', error: { code: String(code) } })
    expect(provider.classify(failure)).toBe(outcome)
  })

  it('are not classified by messages that may quote a client', () => {
    const message = 'could not sing: invalid_api_key insufficient_quota'

    expect(provider.classify(failureOf(() => music.readSubmission({ code: 'fail', message }, submission)))).toBe(
      'server',
    )
  })

  it.each([
    {},
    { code: ['success'], data: 'a' },
    { code: null, data: 'a' },
    { code: 'success' },
    { code: 'success', data: '' },
    { code: 'success', data: '..' },
    { code: 'success', data: { task_id: 'a' } },
    { code: 'success', data: 'x'.repeat(100_000) },
  ])('are failures of the provider if the response is invalid: %j', (body) => {
    const failure = failureOf(() => music.readSubmission(body, submission))

    expect(failure.kind).toBe('answer')
    expect(provider.classify(failure)).toBe('server')
  })
})

describe('task reports', () => {
  const songs = [
    { id: 'one', title: 'Gates', audio_url: 'https://cdn.example/one.mp3', duration: 120 },
    { id: 'two', title: 'Gates', audio_url: 'https://cdn.example/two.mp3', duration: 118 },
  ]
  const task = {
    task_id: 'b4c1',
    action: 'MUSIC',
    status: 'SUCCESS',
    fail_reason: '',
    submit_time: 1_718_000_000,
    start_time: 1_718_000_001,
    finish_time: 1_718_000_090,
    progress: '100%',
    data: songs,
  }
  const readTasks = (data: unknown) => music.readPoll({ code: 'success', data })

  it('contain the songs and the URL of the first', () => {
    expect(readTasks([task])).toEqual([
      {
        upstreamId: 'b4c1',
        status: 'SUCCESS',
        progress: 100,
        failReason: undefined,
        resultUrl: 'https://cdn.example/one.mp3',
        startedAt: new Date(1_718_000_001_000),
        finishedAt: new Date(1_718_000_090_000),
        data: songs,
      },
    ])
  })

  it('contain lyrics, which have no URL', () => {
    const lyrics = { title: 'Gates', text: 'the tide comes in' }

    expect(readTasks([{ ...task, data: lyrics }])).toMatchObject([{ data: lyrics, resultUrl: undefined }])
  })

  it.each([
    ['NOT_START', 'NOT_START'],
    ['SUBMITTED', 'SUBMITTED'],
    ['QUEUED', 'QUEUED'],
    ['IN_PROGRESS', 'IN_PROGRESS'],
    ['FAILURE', 'FAILURE'],
    ['', 'UNKNOWN'],
    ['toString', 'UNKNOWN'],
    [{}, 'UNKNOWN'],
  ])('map status %j to %s', (status, read) => {
    expect(readTasks([{ ...task, status }])).toMatchObject([{ status: read }])
  })

  it('are skipped if they are invalid, without affecting others', () => {
    const wrong = {
      task_id: 7,
      status: [],
      progress: {},
      start_time: 'x',
      fail_reason: 1,
      data: [null, 'x', { audio_url: 1 }],
    }

    expect(readTasks([null, [], 'x', {}, { task_id: ['b4c1'] }, wrong, task])).toMatchObject([
      { upstreamId: '7', status: 'UNKNOWN', progress: undefined, resultUrl: undefined, data: wrong.data },
      { upstreamId: 'b4c1' },
    ])
  })

  it('are empty for no tasks, and fail if the response is not a list', () => {
    expect(readTasks([])).toEqual([])
    expect(readTasks(null)).toEqual([])
    for (const body of [undefined, null, [], [task], 'x', {}, { code: 'success', data: {} }, { code: 'success' }]) {
      expect(failureOf(() => music.readPoll(body)).kind).toBe('answer')
    }
    expect(failureOf(() => music.readPoll({ code: 'unauthorized', message: 'no' })).status).toBe(401)
  })
})
