import { describe, expect, it } from 'vitest'
import { providerOf } from '../../registry.ts'
import { UpstreamFailure } from '../../upstream/failure.ts'

const video = providerOf(1).tasks!.video!
const target = { baseUrl: '', key: 'k', model: 'sora-2' }
const submission = { action: 'GENERATE', path: '/v1/videos', body: {} }
const made = {
  id: 'video_1',
  object: 'video',
  model: 'sora-2',
  status: 'queued',
  progress: 0,
  created_at: 1_718_000_000,
  seconds: '4',
  size: '720x1280',
}

describe('video URLs', () => {
  it.each([
    ['', 'https://api.openai.com/v1/videos'],
    ['https://x.example/', 'https://x.example/v1/videos'],
    ['https://x.example/v1', 'https://x.example/v1/videos'],
  ])('follow the base URL "%s"', (baseUrl, videos) => {
    const there = { ...target, baseUrl }

    expect(video.submitUrl(there, submission)).toBe(videos)
    expect(video.submitUrl(there, { ...submission, path: '/v1/videos/video_1/remix' })).toBe(`${videos}/video_1/remix`)
    expect(video.pollRequest(there, ['video_1'])).toEqual({ url: `${videos}/video_1`, method: 'GET' })
    expect(video.contentUrl!(there, 'video_1')).toBe(`${videos}/video_1/content`)
  })

  it('escape the video id', () => {
    const name = 'a/../../b?c#d'

    expect(video.pollRequest(target, [name]).url).toBe('https://api.openai.com/v1/videos/a%2F..%2F..%2Fb%3Fc%23d')
    expect(new URL(video.contentUrl!(target, name)).pathname).toBe('/v1/videos/a%2F..%2F..%2Fb%3Fc%23d/content')
    expect(video.maxPerPoll).toBe(1)
  })
})

describe('video reports', () => {
  it('are part of the submission', () => {
    expect(video.readSubmission(made, submission)).toEqual({
      upstreamId: 'video_1',
      code: 1,
      body: made,
      report: { upstreamId: 'video_1', status: 'QUEUED', progress: 0, data: made },
    })
  })

  it.each([
    ['queued', 'QUEUED'],
    ['in_progress', 'IN_PROGRESS'],
    ['completed', 'SUCCESS'],
    ['failed', 'FAILURE'],
    ['cooking', 'UNKNOWN'],
    [null, 'UNKNOWN'],
  ])('map status %s to %s', (status, read) => {
    expect(video.readPoll({ ...made, status })).toMatchObject([{ status: read }])
  })

  it('contain the completion time or the failure reason', () => {
    const failed = { ...made, status: 'failed', error: { code: 'moderation_blocked', message: 'too wet' } }
    const completed = { ...made, status: 'completed', progress: 100, completed_at: 1_718_000_060, error: null }

    expect(video.readPoll(failed)).toMatchObject([{ status: 'FAILURE', failReason: 'too wet', data: failed }])
    expect(video.readPoll(completed)).toMatchObject([{ progress: 100, finishedAt: new Date(1_718_000_060_000) }])
  })

  it('accept fields of any type', () => {
    const wrong = { id: 'v', status: ['completed'], progress: '?', error: ['x'], completed_at: {} }

    expect(video.readPoll(wrong)).toEqual([{ upstreamId: 'v', status: 'UNKNOWN', data: wrong }])
  })

  it.each([undefined, null, [], [made], 'x', {}, { id: {} }, { id: '..' }, { id: '' }, { id: 'x'.repeat(300) }])(
    'are failures of the provider if they are invalid: %j',
    (body) => {
      expect(() => video.readPoll(body)).toThrow(UpstreamFailure)
      expect(() => video.readSubmission(body as never, submission)).toThrow(UpstreamFailure)
    },
  )
})
