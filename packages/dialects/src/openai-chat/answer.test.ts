import { describe, expect, it } from 'vitest'
import { NO_USAGE } from '../usage-buckets.ts'
import { isEmptyReply, readAnswer } from './answer.ts'
import { renderError } from './errors.ts'
import { answerFrame, usageFrame } from './synthesis.ts'

const answer = (message: object, finish_reason = 'stop') =>
  JSON.stringify({
    id: 'c',
    created: 5,
    model: 'm',
    choices: [{ index: 0, message, finish_reason }],
    usage: { prompt_tokens: 4, completion_tokens: 2 },
  })
const dataOf = (frame: string) => JSON.parse(frame.slice('data: '.length)) as unknown

describe('readAnswer', () => {
  it('reads text, tool calls and counts', () => {
    const read = readAnswer(answer({ content: 'hi', tool_calls: [{ function: { name: 'f', arguments: '{}' } }] }))

    expect(read).toMatchObject({ text: 'hif{}', toolCalls: 1, hasContent: true, finishReason: 'stop' })
    expect(read?.usage).toEqual({ ...NO_USAGE, input: 4, output: 2 })
  })

  it('finds an error inside a good status', () => {
    expect(readAnswer('{"error":{"message":"no","code":7}}')?.error).toEqual({ message: 'no', code: 7 })
    expect(readAnswer('<html>')).toBeUndefined()
  })

  it('calls a reply without text and tool calls empty, unless it says why', () => {
    expect(isEmptyReply(readAnswer(answer({ content: '' }))!)).toBe(true)
    expect(isEmptyReply(readAnswer(answer({ content: null }, 'length'))!)).toBe(false)
    expect(isEmptyReply(readAnswer(answer({ content: null, tool_calls: [{ function: { name: 'f' } }] }))!)).toBe(false)
    expect(isEmptyReply(readAnswer('{"choices":[]}')!)).toBe(true)
  })
})

describe('chunks of our own', () => {
  it('turn a whole answer into one chunk with role, content and finish reason', () => {
    const frame = answerFrame(readAnswer(answer({ role: 'assistant', content: 'hi', tool_calls: [{ id: 't' }] }))!)

    expect(dataOf(frame)).toEqual({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 5,
      model: 'm',
      choices: [
        {
          index: 0,
          delta: { role: 'assistant', content: 'hi', tool_calls: [{ index: 0, id: 't' }] },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
    })
  })

  it('tell the counts in the words of the dialect', () => {
    const frame = usageFrame(
      { id: 'c', created: 5, model: 'm' },
      { ...NO_USAGE, input: 7, cacheRead: 3, output: 2, reasoning: 1 },
    )

    expect(dataOf(frame)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 3,
        total_tokens: 13,
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
    })
  })
})

describe('renderError', () => {
  it('always has message, type, param and code, and keeps the rest', () => {
    expect(renderError({ message: 'no', code: 'x', trace: 1 })).toEqual({
      error: { message: 'no', type: null, param: null, code: 'x', trace: 1 },
    })
  })
})
