import { describe, expect, it } from 'vitest'
import { NO_TOKENS } from '@tidegate/contract'
import { responseFrames, closeStream } from './chunks.ts'

const dataOf = (frame: string) => JSON.parse(frame.slice('data: '.length)) as unknown
const start = { type: 'response-start', id: 'c', created: 5, model: 'm' } as const
const usage = { ...NO_TOKENS, input: 7, cacheRead: 3, output: 2, reasoning: 1 }

describe('responseFrames', () => {
  it('turns a whole response into one chunk with role, content and finish reason', () => {
    const message = { role: 'assistant', content: 'hi', tool_calls: [{ id: 't' }], x_new: 1 }
    const body = JSON.stringify({
      id: 'c',
      created: 5,
      model: 'm',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 4, completion_tokens: 2 },
    })

    expect(dataOf(responseFrames(body))).toEqual({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 5,
      model: 'm',
      choices: [
        {
          index: 0,
          delta: { role: 'assistant', content: 'hi', tool_calls: [{ index: 0, id: 't' }], x_new: 1 },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
    })
  })
})

describe('closeStream', () => {
  const terminal = new TextEncoder().encode('data:[DONE]\r\n\r\n')

  it('forwards the end marker of the provider', () => {
    expect(closeStream({ terminal, wantsUsage: true, sentUsage: true, usage, start })).toBe(terminal)
    expect(closeStream({ terminal, wantsUsage: false, sentUsage: false, usage, start })).toBe(terminal)
  })

  it('writes a missing end marker', () => {
    expect(closeStream({ terminal: undefined, wantsUsage: false, sentUsage: false, usage, start })).toBe(
      'data: [DONE]\n\n',
    )
  })

  it('writes missing usage that the client requested before the end marker', () => {
    const text = String(closeStream({ terminal, wantsUsage: true, sentUsage: false, usage, start }))
    const [counts, end] = text.split(/(?<=\n\n)/)

    expect(end).toBe('data: [DONE]\n\n')
    expect(dataOf(counts!)).toEqual({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 5,
      model: 'm',
      choices: [],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 3,
        total_tokens: 13,
        prompt_tokens_details: { cached_tokens: 3, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 1, audio_tokens: 0 },
      },
    })
  })
})
