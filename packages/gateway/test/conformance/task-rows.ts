import { openaiFailing, type Failing } from './failures.ts'
import { KEY, type TaskRow, type ProviderRow } from './row.ts'
import { json } from './wire-formats.ts'

/** Midjourney proxies report the result of a submission as a number. */
const imageFailing: Failing = {
  key: json({ code: 3, description: 'no account is left' }),
  rate: json({ code: 23, description: 'the queue is full' }),
  request: json({ code: 24, description: 'may contain sensitive words' }),
  server: json({ description: 'broken' }, 500),
}

const musicFailing: Failing = {
  key: json({ code: 'unauthorized', message: 'invalid token', data: null }, 401),
  rate: json({ code: 'rate_limit', message: 'too many songs', data: null }),
  request: json({ code: 'invalid_params', message: 'no prompt', data: null }),
  server: json({ code: 'fail', message: 'broken', data: null }, 500),
}

/** OpenAI's videos are polled one by one. */
export const VIDEO: TaskRow = {
  model: 'sora-2',
  submission: { path: '/v1/videos', body: { model: 'sora-2', prompt: 'a tide gate', seconds: '4' } },
  times: 4,
  failing: openaiFailing,
  path: '/v1/videos',
  reply: { id: 'video_1', object: 'video', model: 'sora-2', status: 'queued', progress: 0 },
  upstreamId: 'video_1',
  poll: {
    method: 'GET',
    path: '/v1/videos/video_1',
    reply: { id: 'video_1', object: 'video', model: 'sora-2', status: 'completed', progress: 100 },
    report: { upstreamId: 'video_1', status: 'SUCCESS', progress: 100 },
  },
}

const IMAGE: TaskRow = {
  model: 'mj_imagine',
  submission: { path: '/mj/submit/imagine', body: { prompt: 'a tide gate' } },
  times: 1,
  failing: imageFailing,
  path: '/mj/submit/imagine',
  reply: { code: 1, description: 'Submit success', result: '1320098173412546' },
  upstreamId: '1320098173412546',
  poll: {
    method: 'POST',
    path: '/mj/task/list-by-condition',
    body: { ids: ['1320098173412546'] },
    reply: [
      {
        id: '1320098173412546',
        action: 'IMAGINE',
        status: 'SUCCESS',
        progress: '100%',
        imageUrl: 'https://images.example/gate.png',
      },
    ],
    report: {
      upstreamId: '1320098173412546',
      status: 'SUCCESS',
      progress: 100,
      resultUrl: 'https://images.example/gate.png',
    },
  },
}

const MUSIC: TaskRow = {
  model: 'suno_music',
  submission: { path: '/suno/submit/music', body: { prompt: 'a song of the tide' } },
  times: 1,
  failing: musicFailing,
  path: '/suno/submit/MUSIC',
  reply: { code: 'success', message: '', data: 'task-1' },
  upstreamId: 'task-1',
  poll: {
    method: 'POST',
    path: '/suno/fetch',
    body: { ids: ['task-1'] },
    reply: {
      code: 'success',
      message: '',
      data: [
        {
          task_id: 'task-1',
          action: 'MUSIC',
          status: 'SUCCESS',
          progress: '100%',
          data: [{ audio_url: 'https://songs.example/tide.mp3' }],
        },
      ],
    },
    report: { upstreamId: 'task-1', status: 'SUCCESS', resultUrl: 'https://songs.example/tide.mp3' },
  },
}

/** Providers that serve tasks only. */
export const TASK_ROWS: readonly ProviderRow[] = [
  { types: [2, 5], key: () => KEY, chats: [], failing: imageFailing, operations: {}, tasks: { drawing: IMAGE } },
  { types: [36], key: () => KEY, chats: [], failing: musicFailing, operations: {}, tasks: { music: MUSIC } },
]
