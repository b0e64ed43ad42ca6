import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { stored } from '../../../lib/stored.ts'
import { useSession } from '../../../api/session.ts'
import { aUser } from '../../../../test/samples.ts'
import { readChunk, streamChat, type ChatRequest } from './stream-chat.ts'

const PATH = 'POST /pg/chat/completions'
const REQUEST: ChatRequest = {
  model: 'm',
  group: 'default',
  messages: [{ role: 'user', content: 'hi' }],
  stream: true,
  stream_options: { include_usage: true },
  max_tokens: 0,
}
const HEADERS = { 'content-type': 'text/event-stream', 'x-request-id': 'r-1' }
const chunks = (...texts: string[]) =>
  texts.map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`).join('')

async function readStream(signal = new AbortController().signal) {
  const received = { requestId: '', text: '' }
  const done = streamChat(REQUEST, signal, {
    onAccepted: (requestId) => (received.requestId = requestId),
    onDelta: ({ text }) => (received.text += text),
  })
  return done.then(
    () => ({ ...received, error: undefined }),
    (error: unknown) => ({ ...received, error }),
  )
}

afterEach(() => vi.unstubAllGlobals())

describe('streamChat', () => {
  it('sends the request as the user who is logged in and reads the whole answer', async () => {
    stored.user.set(aUser({ id: 7 }))
    const { seen } = fakeServer({
      [PATH]: { headers: HEADERS, text: `: PING\n\n${chunks('潮', '汐')}data: [DONE]\n\n` },
    })

    expect(await readStream()).toEqual({ requestId: 'r-1', text: '潮汐', error: undefined })
    expect(seen[0]!.headers.get('tidegate-user')).toBe('7')
    expect(seen[0]!.body).toEqual(REQUEST)
  })

  it('fails with the message of an error response', async () => {
    fakeServer({
      [PATH]: {
        status: 403,
        headers: { 'content-type': 'application/json', 'x-request-id': 'r-2' },
        json: { success: false, error: { code: 'group_not_allowed', message: '无权使用 (request id: r-2)' } },
      },
    })

    expect(await readStream()).toMatchObject({
      requestId: 'r-2',
      error: { name: 'ChatError', code: 'group_not_allowed', message: '无权使用' },
    })
  })

  it('fails with the error event of a stream', async () => {
    const text = `${chunks('one ')}data: {"error":{"message":"no more","code":"stream_interrupted"}}\n\ndata: [DONE]\n\n`
    fakeServer({ [PATH]: { headers: HEADERS, text } })

    expect(await readStream()).toMatchObject({
      text: 'one ',
      error: { code: 'stream_interrupted', message: 'no more' },
    })
  })

  it('fails when a stream ends without its final event', async () => {
    fakeServer({ [PATH]: { headers: HEADERS, text: chunks('one ') } })

    expect(await readStream()).toMatchObject({ text: 'one ', error: { code: 'interrupted' } })
  })

  it('reports an unreachable server and the error page of a proxy', async () => {
    fakeServer({ [PATH]: 'no-answer' })
    expect(await readStream()).toMatchObject({ error: { code: 'network', message: '无法连接到服务器' } })

    fakeServer({ [PATH]: { status: 502, text: '<html>Bad gateway</html>' } })
    expect(await readStream()).toMatchObject({ error: { message: '错误：HTTP 502' } })
  })

  it('ends the session when the server rejects it', async () => {
    useSession.setState({ user: aUser() })
    fakeServer({ [PATH]: { status: 401, json: { error: { message: '未登录', code: 'not_logged_in' } } } })

    await readStream()

    expect(useSession.getState()).toMatchObject({ user: null, ended: 'expired' })
  })
})

const chunk = (delta: object, more: object = {}) => JSON.stringify({ choices: [{ index: 0, delta }], ...more })
const EMPTY = { text: '', thinking: '', pictures: [] }

describe('readChunk', () => {
  it('reads text, reasoning under both names, and refusals', () => {
    expect(readChunk(chunk({ content: 'Hi' }))).toEqual({ ...EMPTY, text: 'Hi' })
    expect(readChunk(chunk({ reasoning_content: 'Hm' }))).toEqual({ ...EMPTY, thinking: 'Hm' })
    expect(readChunk(chunk({ reasoning: 'Hm' }))).toEqual({ ...EMPTY, thinking: 'Hm' })
    expect(readChunk(chunk({ refusal: 'No.' }))).toEqual({ ...EMPTY, text: 'No.' })
  })

  it('reads the token counts of a chunk without text', () => {
    const data = JSON.stringify({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 5 } })

    expect(readChunk(data)).toEqual({ ...EMPTY, usage: { inputTokens: 3, outputTokens: 5 } })
  })

  it('accepts only pictures that are safe to show', () => {
    const images = [
      'data:image/png;base64,AA',
      'javascript:alert(1)',
      'data:image/svg+xml;base64,AA',
      'https://a.b/c.png',
    ]

    const delta = readChunk(chunk({ images: images.map((url) => ({ type: 'image_url', image_url: { url } })) }))

    expect(delta!.pictures.map(({ url }) => url)).toEqual(['data:image/png;base64,AA', 'https://a.b/c.png'])
  })

  it('reads an error without its request ID', () => {
    const data = JSON.stringify({ error: { message: 'No more (request id: r-1)', code: 'stream_interrupted' } })

    expect(readChunk(data)).toEqual({ ...EMPTY, failure: { code: 'stream_interrupted', message: 'No more' } })
  })

  it('ignores events of another format', () => {
    expect(readChunk('not json')).toBeUndefined()
    expect(readChunk('{"choices":"none"}')).toEqual(EMPTY)
  })
})
