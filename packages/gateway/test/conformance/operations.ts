import { expect } from 'vitest'
import type { OperationId } from '@tidegate/providers'
import { aRecording } from '../support/recording.ts'
import { json, type Reply } from './wire-formats.ts'

export interface OperationExample {
  /** The gateway's path, below `/v1`. */
  readonly path: string
  /** The client's body; the model name is added. */
  readonly body: Readonly<Record<string, unknown>> | 'audio' | 'image'
  /** The response in OpenAI's format. */
  readonly response: Reply
  /** Checks what the client gets, for any provider format. */
  check(response: { json: JsonObject; bytes: Buffer }): void
}

// oxlint-disable-next-line typescript/no-explicit-any -- responses of any shape
type JsonObject = any

export const VECTOR = [0.5, -0.25]
export const IMAGE_URL = 'https://images.example/gate.png'
const AUDIO = Buffer.alloc(5000, 'waves ')
const usage = { prompt_tokens: 5, total_tokens: 5 }

/** A request and the usual response of each operation. */
export const OPERATION_EXAMPLES: Readonly<Record<Exclude<OperationId, 'realtime'>, OperationExample>> = {
  embeddings: {
    path: '/embeddings',
    body: { input: ['the sea is calm'] },
    response: json({ object: 'list', data: [{ object: 'embedding', index: 0, embedding: VECTOR }], usage }),
    check: ({ json: { data } }) => expect(data[0].embedding).toEqual(VECTOR),
  },
  moderations: {
    path: '/moderations',
    body: { input: 'the sea' },
    response: json({ id: 'modr-1', results: [{ flagged: false, categories: {}, category_scores: {} }] }),
    check: ({ json: { results } }) => expect(results[0].flagged).toBe(false),
  },
  rerank: {
    path: '/rerank',
    body: { query: 'sea', documents: ['land', 'water'] },
    response: json({ results: [{ index: 1, relevance_score: 0.9 }], usage: { total_tokens: 5 } }),
    check: ({ json: { results } }) => expect(results[0]).toMatchObject({ index: 1, relevance_score: 0.9 }),
  },
  'image-generation': {
    path: '/images/generations',
    body: { prompt: 'a tide gate', size: '1024x1024' },
    response: json({ created: 1, data: [{ url: IMAGE_URL }] }),
    check: ({ json: { data } }) => expect(data[0].url ?? data[0].b64_json).toBeTruthy(),
  },
  'image-edit': {
    path: '/images/edits',
    body: 'image',
    response: json({ created: 1, data: [{ url: IMAGE_URL }] }),
    check: ({ json: { data } }) => expect(data[0].url).toBe(IMAGE_URL),
  },
  'image-variation': {
    path: '/images/variations',
    body: 'image',
    response: json({ created: 1, data: [{ url: IMAGE_URL }] }),
    check: ({ json: { data } }) => expect(data[0].url).toBe(IMAGE_URL),
  },
  speech: {
    path: '/audio/speech',
    body: { input: 'the sea', voice: 'alloy' },
    response: { headers: { 'content-type': 'audio/mpeg' }, body: AUDIO },
    check: ({ bytes }) => expect(bytes).toEqual(AUDIO),
  },
  transcription: {
    path: '/audio/transcriptions',
    body: 'audio',
    response: json({ text: 'the sea is calm' }),
    check: ({ json: { text } }) => expect(text).toBe('the sea is calm'),
  },
  translation: {
    path: '/audio/translations',
    body: 'audio',
    response: json({ text: 'the sea is calm' }),
    check: ({ json: { text } }) => expect(text).toBe('the sea is calm'),
  },
}

/** The request of a client for a model, for `fetch`. */
export function requestFor(
  { body }: OperationExample,
  model: string,
): { headers: Record<string, string>; body: BodyInit } {
  if (typeof body !== 'string') {
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ model, ...body }) }
  }
  const form = new FormData()
  form.append('model', model)
  form.append('prompt', 'a tide gate')
  const bytes = new Uint8Array(aRecording({ seconds: 1 }))
  form.append(body === 'audio' ? 'file' : 'image', new Blob([bytes]), body === 'audio' ? 'a.wav' : 'a.png')
  return { headers: {}, body: form }
}
