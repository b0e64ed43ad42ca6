import { describe, expect, it } from 'vitest'
import type { UpstreamResponse } from '../upstream/types.ts'
import { palm } from './palm.ts'

const [conversation] = palm.chatApis!
const target = (model: string) => ({ baseUrl: '', key: 'k', model })
const encode = (body: object) =>
  conversation!.encode!({ ...body }, { target: target('PaLM-2'), stream: false, caller: () => 'alex' })

async function responseTo(body: object): Promise<unknown> {
  const chunks = [Buffer.from(JSON.stringify(body))]
  const response = { status: 200, headers: {}, read: () => Promise.resolve(chunks.shift()), abort() {} }
  const unpacked = conversation!.unpack!(response as unknown as UpstreamResponse, { model: 'PaLM-2', stream: false })
  return JSON.parse(Buffer.from((await unpacked.read())!).toString())
}

describe('PaLM', () => {
  it('uses the model name Google knows, or another bison model', () => {
    const url = (model: string) => conversation!.url(target(model), {} as never)

    expect(url('PaLM-2')).toBe(
      'https://generativelanguage.googleapis.com/v1beta2/models/chat-bison-001:generateMessage',
    )
    expect(url('chat-bison-002')).toContain('/chat-bison-002:generateMessage')
  })

  it('sends the author of each message', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'good day' },
      { role: 'user', content: 'when?' },
    ]

    expect(encode({ messages, temperature: 1.5, top_p: 0.5 })).toEqual({
      prompt: {
        context: 'Be brief.',
        messages: [
          { author: '0', content: 'hello' },
          { author: '1', content: 'good day' },
          { author: '0', content: 'when?' },
        ],
      },
      candidateCount: 1,
      temperature: 1,
      topP: 0.5,
    })
  })

  it('reads text, filtered responses and errors', async () => {
    expect(await responseTo({ candidates: [{ author: '1', content: 'noon' }] })).toMatchObject({
      model: 'PaLM-2',
      choices: [{ message: { role: 'assistant', content: 'noon' }, finish_reason: 'stop' }],
    })
    expect(await responseTo({ filters: [{ reason: 'SAFETY' }] })).toMatchObject({
      choices: [{ finish_reason: 'content_filter' }],
    })
    await expect(
      responseTo({ error: { code: 429, message: 'slow', status: 'RESOURCE_EXHAUSTED' } }),
    ).rejects.toMatchObject({ status: 429, error: { message: 'slow' } })
    await expect(responseTo({})).rejects.toMatchObject({ name: 'UpstreamFailure' })
  })
})
