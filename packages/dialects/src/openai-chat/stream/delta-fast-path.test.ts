import { afterEach, describe, expect, it, vi } from 'vitest'
import { createDecoder } from './decode-events.ts'

afterEach(() => vi.restoreAllMocks())

const newDecoder = () => createDecoder({ newId: () => 'new' })
const chunk = (delta: object, more: object = {}, finish: string | null = null) =>
  JSON.stringify({ id: 'c1', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }], ...more })
const chunkWith = (content: string, more?: object) => chunk({ content }, more)

/** Decodes the chunks once with the fast path, and once with a counter in each chunk that disables it. */
function readBothWays(chunks: readonly string[]) {
  const [alike, unlike] = [newDecoder(), newDecoder()]
  return {
    alike: chunks.map((data) => alike({ data })),
    unlike: chunks.map((data, index) => unlike({ data: data.replace('{', `{"n":${index},`) })),
  }
}

describe('a chunk that differs from the previous one only in its text', () => {
  it('is not parsed', () => {
    const decode = newDecoder()
    const deltaText = Array.from({ length: 100 }, (_, index) => ` word ${index} 潮`)
    const parse = vi.spyOn(JSON, 'parse')

    const events = deltaText.flatMap((text) => decode({ data: chunkWith(text) }))

    expect(events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))).toEqual(deltaText)
    expect(parse.mock.calls.length).toBeLessThan(5)
  })

  it.each<[string, string[]]>([
    ['escapes', ['a', 'b', 'line\nbreak', 'c', '"quoted"', 'd', 'back\\slash', 'e', '\u0001', 'f']],
    ['text that looks like the rest of a chunk', ['a', 'b', '"},"finish_reason":"stop', 'c', '"content":"x"', 'd']],
    ['empty text', ['a', 'b', '', 'c']],
    ['repeated text', ['content', 'content', 'm', 'c1', 'm']],
  ])('is decoded like any other, with %s', (_, deltaText) => {
    const { alike, unlike } = readBothWays(deltaText.map((text) => chunkWith(text)))

    expect(alike).toEqual(unlike)
  })

  it('uses the fast path only if no other chunk came between', () => {
    const call = { index: 0, id: 't', type: 'function', function: { name: 'tide', arguments: '{}' } }
    const { alike, unlike } = readBothWays([
      chunkWith('a'),
      chunkWith('b'),
      chunk({ reasoning_content: 'hm' }),
      chunkWith('c'),
      chunkWith('d'),
      chunk({ tool_calls: [call] }),
      chunkWith('e'),
      chunkWith('f'),
      chunk({ content: 'g' }, {}, 'stop'),
      chunkWith('h', { usage: { prompt_tokens: 1, completion_tokens: 2 } }),
      '[DONE]',
    ])

    expect(alike).toEqual(unlike)
  })

  it('does not use the fast path with reasoning details or a second content member', () => {
    const details = [{ type: 'reasoning.encrypted', data: 'x', index: 0 }]
    const two = (first: string, second: string) => chunkWith(first, { note: { content: second } })
    const { alike, unlike } = readBothWays([
      chunk({ content: 'a', reasoning_details: details }),
      chunk({ content: 'b', reasoning_details: details }),
      chunk({ content: 'c', reasoning_details: details }),
      two('d', 'd'),
      two('d', 'e'),
      two('f', 'f'),
      '[DONE]',
    ])

    expect(alike).toEqual(unlike)
  })

  it('does not use the fast path if the event is an error', () => {
    const decode = newDecoder()
    for (const text of ['a', 'b', 'c']) decode({ data: chunkWith(text) })

    expect(decode({ name: 'error', data: chunkWith('d') })).toMatchObject([{ type: 'error' }])
  })
})
