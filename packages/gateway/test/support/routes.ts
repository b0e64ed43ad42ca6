import { aRecording } from './recording.ts'
import { KEY } from './gateway.ts'

export const MODEL = 'tide-1'
const messages = [{ role: 'user', content: 'hi' }]

/** The smallest body of each endpoint below `/v1` that a provider serves. */
export const BODIES: Readonly<Record<string, object | 'audio' | 'image'>> = {
  '/chat/completions': { messages },
  '/completions': { prompt: 'hi' },
  '/responses': { input: 'hi' },
  '/messages': { messages, max_tokens: 10 },
  '/embeddings': { input: 'hi' },
  '/moderations': { input: 'hi' },
  '/rerank': { query: 'hi', documents: ['a'] },
  '/images/generations': { prompt: 'hi' },
  '/images/edits': 'image',
  '/images/variations': 'image',
  '/audio/speech': { input: 'hi', voice: 'alloy' },
  '/audio/transcriptions': 'audio',
  '/audio/translations': 'audio',
}

/** Task submissions, each with its smallest body. */
export const SUBMISSIONS: Readonly<Record<string, object>> = {
  '/mj/submit/imagine': { prompt: 'hi' },
  '/mj/submit/describe': { base64: 'data:image/png;base64,AAAA' },
  '/mj/submit/blend': { base64Array: ['a', 'b'] },
  '/mj/submit/shorten': { prompt: 'hi' },
  '/mj/submit/upload-discord-images': { base64Array: ['a'] },
  '/mj/insight-face/swap': { sourceBase64: 'a', targetBase64: 'b' },
  '/suno/submit/music': {},
  '/suno/submit/lyrics': { prompt: 'hi' },
  '/v1/videos': { prompt: 'hi', model: 'sora-2' },
}
export const TASK_MODELS =
  'mj_imagine,mj_describe,mj_blend,mj_shorten,mj_upload,swap_face,suno_music,suno_lyrics,sora-2'.split(',')

/** A request to an endpoint with its smallest body. */
export function requestTo(
  method: string,
  path: string,
  body = BODIES[path.replace(/^(\/shadow)?\/v1/, '')],
  model = MODEL,
) {
  const isForm = typeof body === 'string'
  return {
    method,
    headers: { authorization: `Bearer ${KEY}`, ...(!isForm && { 'content-type': 'application/json' }) },
    ...(method === 'POST' && {
      body: isForm ? form(body, model) : JSON.stringify({ model, ...(body ?? { messages }) }),
    }),
  }
}

function form(kind: 'audio' | 'image', model: string): FormData {
  const data = new FormData()
  data.append('model', model)
  data.append('prompt', 'hi')
  const bytes = new Uint8Array(aRecording({ seconds: 1 }))
  data.append(kind === 'audio' ? 'file' : 'image', new Blob([bytes]), kind === 'audio' ? 'a.wav' : 'a.png')
  return data
}
