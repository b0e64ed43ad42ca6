import { describe, expect, it } from 'vitest'
import type { UpstreamResponse } from '../upstream/types.ts'
import { failureInBody } from '../upstream/failure.ts'
import { translateResponse, type ResponseReader } from './translate-response.ts'

/** Returns each event as the chunk, and fails where the event says so. */
const reader: ResponseReader = {
  readEvent(data) {
    if (data.fails) throw failureInBody({ failureClass: 'rate', code: 'slow', message: 'no' })
    return data.quiet ? undefined : data
  },
  readBody: (body) => body,
}

function responseOf(text: string, { type = 'text/event-stream', status = 200, size = 7 } = {}) {
  const bytes = Buffer.from(text)
  let at = 0
  const closed = { aborted: 0, finished: 0 }
  const response: UpstreamResponse = {
    status,
    headers: { 'content-type': type },
    bufferedBytes: 0,
    read: () => Promise.resolve(at >= bytes.length ? undefined : bytes.subarray(at, (at += size))),
    limitSilence() {},
    finish: () => void (closed.finished += 1),
    abort: () => void (closed.aborted += 1),
  }
  return { response, closed }
}

async function textOf(response: UpstreamResponse): Promise<string> {
  let text = ''
  for (let chunk = await response.read(); chunk; chunk = await response.read()) text += Buffer.from(chunk).toString()
  return text
}

const frames = (...events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
const streamed = { model: 'm', stream: true }
const whole = { model: 'm', stream: false }
const EVENTS = [
  { id: 'i', created: 5, quiet: true },
  { id: 'i', created: 5, reasoning: 'hm' },
  { text: '潮' },
  { toolCalls: [{ index: 0, id: 'c', name: 'f', arguments: '{' }] },
  { toolCalls: [{ index: 0, id: '', name: '', arguments: '}' }] },
  { finishReason: 'tool_calls', usage: { prompt: 3, completion: 2 }, isLast: true },
]

describe('translating a stream', () => {
  it('emits everything before a failure, also when both arrive in one read', async () => {
    const { response } = responseOf(frames({ text: '潮' }, { fails: true }), { size: 1000 })
    const translated = translateResponse(response, streamed, reader)

    expect(Buffer.from((await translated.read())!).toString()).toContain('潮')
    await expect(translated.read()).rejects.toMatchObject({ error: { code: 'slow' } })
  })

  it('writes OpenAI chat chunks', async () => {
    const translated = translateResponse(responseOf(frames(...EVENTS)).response, streamed, reader)

    const text = await textOf(translated)

    expect(translated.headers['content-type']).toBe('text/event-stream')
    const data = [...text.matchAll(/^data: (.*)$/gm)].map((match) => match[1]!)
    expect(data.at(-1)).toBe('[DONE]')
    const chunks = data.slice(0, -1).map((chunk) => JSON.parse(chunk))
    for (const chunk of chunks) {
      expect(chunk).toMatchObject({ id: 'i', created: 5, model: 'm', object: 'chat.completion.chunk' })
    }
    expect(chunks.map(({ choices, usage }) => usage ?? choices[0].delta)).toEqual([
      { role: 'assistant', reasoning_content: 'hm' },
      { content: '潮' },
      { tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '}' } }] },
      {},
      { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    ])
    expect(chunks.at(-2).choices[0].finish_reason).toBe('tool_calls')
  })

  it('collects the stream when the client requested a whole response', async () => {
    const { response, closed } = responseOf(
      frames({ text: 'a' }, { text: 'b' }, { finishReason: 'stop', isLast: true }),
    )

    const translated = translateResponse(response, whole, reader)

    expect(translated.headers['content-type']).toBe('application/json')
    expect(JSON.parse(await textOf(translated))).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'ab' }, finish_reason: 'stop' }],
    })
    expect(closed.finished).toBe(1)
  })

  it('fails when the stream ends before the last chunk', async () => {
    const cut = translateResponse(responseOf(frames({ text: 'a' })).response, whole, reader)

    await expect(textOf(cut)).rejects.toMatchObject({ kind: 'reset' })
  })

  it.each([
    ['an error', frames({ text: 'a' }, { fails: true }), { status: 429, error: { code: 'slow' } }],
    ['a bare error', '{"fails":true}', { status: 429 }],
    ['an event without end', `data: ${'x'.repeat(11 * 1024 * 1024)}`, { error: { code: 'upstream_answer_too_large' } }],
  ])('aborts on %s', async (_what, text, failure) => {
    const { response, closed } = responseOf(text, { size: 64 * 1024 })

    await expect(textOf(translateResponse(response, streamed, reader))).rejects.toMatchObject(failure)
    expect(closed.aborted).toBe(1)
  })
})

describe('translating a body', () => {
  it('writes an OpenAI chat response, also when a stream was requested', async () => {
    const body = JSON.stringify({ text: 'a', finishReason: 'length', usage: { prompt: 1, completion: 1 } })
    const translated = translateResponse(responseOf(body, { type: 'application/json' }).response, streamed, reader)

    expect(JSON.parse(await textOf(translated))).toMatchObject({
      choices: [{ message: { content: 'a' }, finish_reason: 'length' }],
      usage: { total_tokens: 2 },
    })
  })

  it('fails when the body is not JSON', async () => {
    const page = responseOf('<html>', { type: 'text/html' }).response

    await expect(textOf(translateResponse(page, whole, reader))).rejects.toMatchObject({ kind: 'answer' })
  })

  it('keeps an error status, or uses the more specific error of the reader', async () => {
    const { response } = responseOf('{"code":"empty","message":"no credit"}', { status: 400 })
    response.headers['retry-after'] = '7'
    const readError = (_status: number, { code }: { code?: unknown }) =>
      code === 'empty' ? failureInBody({ failureClass: 'credit', code, message: 'no credit' }) : undefined
    const plain = responseOf('gone', { status: 410 }).response

    expect(translateResponse(response, whole, reader)).toBe(response)
    await expect(textOf(translateResponse(response, whole, { ...reader, readError }))).rejects.toMatchObject({
      status: 402,
    })
    await expect(textOf(translateResponse(plain, whole, { ...reader, readError }))).rejects.toMatchObject({
      status: 410,
    })
  })
})
