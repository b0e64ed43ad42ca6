import { describe, expect, it } from 'vitest'
import { dify, encodeDify } from './index.ts'
import { createDifyReader } from './read-response.ts'

const encode = (body: object, stream = true) => encodeDify({ ...body }, { stream, caller: () => 'alex' })
const user = { role: 'user', content: 'hello' }

describe('Dify requests', () => {
  it("contain the user's message", () => {
    expect(encode({ messages: [user] })).toEqual({
      inputs: {},
      query: 'hello',
      response_mode: 'streaming',
      user: 'alex',
      auto_generate_name: false,
    })
    expect(encode({ messages: [user], user: 'ada' }, false)).toMatchObject({ response_mode: 'blocking', user: 'ada' })
  })

  it('contain the previous messages', () => {
    const messages = [{ role: 'system', content: 'Be brief.' }, user, { role: 'assistant', content: 'good day' }, user]

    expect(encode({ messages }).query).toBe('System: Be brief.\n\nUser: hello\n\nAssistant: good day\n\nUser: hello')
  })

  it('contain the images of the last message only', () => {
    const imageMessage = (url: string) => ({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] })
    const messages = [
      imageMessage('https://x.example/1.png'),
      { role: 'assistant', content: 'nice' },
      imageMessage('https://x.example/2.png'),
    ]

    expect(encode({ messages }).files).toEqual([
      { type: 'image', transfer_method: 'remote_url', url: 'https://x.example/2.png' },
    ])
  })

  it("go to the operator's own server", () => {
    const url = (baseUrl: string) => dify.chatApis![0]!.url({ baseUrl, key: 'k', model: 'm' }, {} as never)

    expect(url('')).toBe('https://api.dify.ai/v1/chat-messages')
    expect(url('https://own.example/v1/')).toBe('https://own.example/v1/chat-messages')
  })

  it.each([
    [{ messages: [user], tools: [{ function: { name: 'f' } }] }],
    [{ messages: [user, { role: 'tool', tool_call_id: 'c', content: 'x' }] }],
    [{ messages: [user], response_format: { type: 'json_object' } }],
    [{ messages: [{ role: 'user', content: [{ type: 'file' }] }] }],
  ])('reject %j', (body) => {
    expect(() => encode(body)).toThrow(expect.objectContaining({ code: 'cannot_express' }))
  })
})

describe('Dify responses', () => {
  it('are sent once for an agent, though the last event repeats all of them', () => {
    const { readEvent: event } = createDifyReader()
    const events = [
      { event: 'agent_message', message_id: 'm1', answer: 'At ' },
      { event: 'agent_thought', thought: 'At noon.' },
      { event: 'agent_message', message_id: 'm1', answer: 'noon.' },
      { event: 'message', message_id: 'm1', answer: 'At noon.' },
      { event: 'message_end', message_id: 'm1', metadata: { usage: { prompt_tokens: 3, completion_tokens: 2 } } },
    ]

    const chunks = events.map((data) => event(data))

    expect(chunks.map((part) => part?.text ?? '').join('')).toBe('At noon.')
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'stop', usage: { prompt: 3, completion: 2 }, isLast: true })
  })

  it.each(['ping', 'workflow_started', 'node_finished', 'tts_message', 'message_file'])('ignore %s', (name) => {
    expect(createDifyReader().readEvent({ event: name, answer: 'x', data: {} })).toBeUndefined()
  })

  it.each([
    ['provider_quota_exceeded', 400, 402],
    ['provider_not_initialize', 400, 401],
    ['too_many_requests', 429, 429],
    ['a_new_word', 503, 503],
    ['a_new_word', undefined, 502],
  ])('report error %s with %s as status %i', (code, reported, status) => {
    const failure = { event: 'error', status: reported, code, message: 'no' }

    expect(() => createDifyReader().readEvent(failure)).toThrow(expect.objectContaining({ kind: 'answer', status }))
    expect(() => createDifyReader().readBody(failure)).toThrow(expect.objectContaining({ status }))
    expect(createDifyReader().readError!(reported ?? 502, failure)).toMatchObject({ status })
  })
})

describe('images in a request', () => {
  it('fail if Dify rejects the upload, and the chat request is not sent', async () => {
    const requested: string[] = []
    const upstream = {
      open({ url }: { url: string }) {
        requested.push(url)
        const chunks = [Buffer.from('{"code":"file_too_large","message":"too large"}')]
        return Promise.resolve({ status: 413, headers: {}, read: () => Promise.resolve(chunks.shift()) })
      },
    }
    const body = JSON.stringify(
      encode({
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
        ],
      }),
    )
    const request = { url: 'https://x.example/v1/chat-messages', method: 'POST' as const, headers: {}, body }

    await expect(dify.chatApis![0]!.send!(upstream as never, request)).rejects.toMatchObject({
      status: 413,
      error: { message: 'too large' },
    })
    expect(requested).toEqual(['https://x.example/v1/files/upload'])
  })
})
