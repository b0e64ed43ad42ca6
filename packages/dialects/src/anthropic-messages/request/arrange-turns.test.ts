import { describe, expect, it, vi } from 'vitest'
import type { Message, Part } from '../../canonical/index.ts'
import { arrangeTurns } from './arrange-turns.ts'

const text = (value: string): Part => ({ type: 'text', text: value })
const call = (id: string): Part => ({ type: 'tool-call', id, name: 'tide', arguments: '{}' })
const result = (callId: string, value = callId): Part => ({
  type: 'tool-result',
  callId,
  content: [{ type: 'text', text: value }],
})
const user = (...parts: Part[]): Message => ({ role: 'user', parts })
const assistant = (...parts: Part[]): Message => ({ role: 'assistant', parts })

/** Shows each turn as the first letter of its role and a short form of its content. */
function outline(...messages: Message[]) {
  return arrangeTurns(messages, new Set()).map(({ role, content }) => {
    const blocks = content as Record<string, unknown>[]
    const value = blocks.map((block) => {
      if (block.type === 'tool_use') return `call ${String(block.id)}`
      if (block.type !== 'tool_result') return block.text
      const [first] = block.content as { text: string }[]
      return `result ${String(block.tool_use_id)}: ${first?.text}`
    })
    return `${String(role)[0]}: ${value.join(' | ')}`
  })
}

describe('arrangeTurns', () => {
  it('merges consecutive messages of one role into one turn', () => {
    expect(
      outline(user(text('a')), user(text('b')), assistant(text('c')), assistant(text('d')), user(text('e'))),
    ).toEqual(['u: a | b', 'a: c | d', 'u: e'])
  })

  it('adds a user turn at the start and to an empty conversation', () => {
    expect(outline(assistant(text('hello')), user(text('hi')))).toEqual(['u: ...', 'a: hello', 'u: hi'])
    expect(outline()).toEqual(['u: ...'])
  })

  it('drops blank text and turns that contain nothing else', () => {
    expect(outline(user(text('a'), text(' \n')), assistant(text('')), user(text('b')))).toEqual(['u: a | b'])
  })

  it('trims the end of the last assistant message only', () => {
    expect(outline(user(text('a ')), assistant(text('b ')), user(text('c ')), assistant(text('d \n')))).toEqual([
      'u: a ',
      'a: b ',
      'u: c ',
      'a: d',
    ])
  })

  it('puts the results of parallel calls at the start of the next turn, in the order of the calls', () => {
    expect(
      outline(
        user(text('go')),
        assistant(call('a'), call('b')),
        user(result('b')),
        user(text('hurry')),
        user(result('a')),
      ),
    ).toEqual(['u: go', 'a: call a | call b', 'u: result a: a | result b: b | hurry'])
  })

  it('moves a late result to the turn after its call', () => {
    expect(
      outline(
        user(text('go')),
        assistant(call('a'), call('b')),
        user(result('a')),
        assistant(text('wait')),
        user(result('b')),
      ),
    ).toEqual(['u: go', 'a: call a | call b', 'u: result a: a | result b: b', 'a: wait', 'u: ...'])
  })

  it('adds error results for calls without a result', () => {
    expect(outline(user(text('go')), assistant(call('a'), call('b')), user(result('b'), text('and?')))).toEqual([
      'u: go',
      'a: call a | call b',
      'u: result a: (no result was given) | result b: b | and?',
    ])
    expect(arrangeTurns([user(text('go')), assistant(call('a'))], new Set()).at(-1)).toEqual({
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [{ type: 'text', text: '(no result was given)' }],
          is_error: true,
        },
      ],
    })
  })

  it('sends a result without a call as user text', () => {
    expect(outline(user(text('go'), result('ghost', 'boo')))).toEqual(['u: go | Result of the tool call ghost: | boo'])
  })

  it('separates calls that reuse an id, each with its own result', () => {
    expect(
      outline(
        user(text('go')),
        assistant(call('x'), call('x')),
        user(result('x', 'one'), result('x', 'two')),
        assistant(call('x')),
        user(result('x', 'three')),
      ),
    ).toEqual([
      'u: go',
      'a: call x | call x_2',
      'u: result x: one | result x_2: two',
      'a: call x_3',
      'u: result x_3: three',
    ])
  })

  it('needs constant time per call and result, even if ids repeat or match nothing', () => {
    const looks = [vi.spyOn(Set.prototype, 'has'), vi.spyOn(Array.prototype, 'some')]
    const many = Array.from({ length: 500 }, () => [assistant(call('a')), user(result('stray'))]).flat()

    const turns = outline(user(text('go')), ...many, assistant(call('a')), user(result('a', 'at last')))
    const steps = looks.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    vi.restoreAllMocks()

    expect(turns.at(-1)).toBe('u: result a_501: at last')
    expect(steps).toBeLessThan(5 * many.length)
  })

  it('replaces characters in ids that the provider rejects, in a stable and unique way', () => {
    const turns = outline(user(text('go')), assistant(call('a:1'), call('a.1'), call('')), user(result('a:1')))
    const ids = turns[1]!
      .slice('a: '.length)
      .split(' | ')
      .map((word) => word.slice('call '.length))

    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
    expect(turns[2]).toContain(`result ${ids[0]}: a:1`)
    expect(outline(user(text('go')), assistant(call('a:1')))[1]).toBe(`a: call ${ids[0]}`)
  })

  it('writes results with images, errors and no content', () => {
    const turns = arrangeTurns(
      [
        assistant(call('a'), call('b')),
        user(
          {
            type: 'tool-result',
            callId: 'a',
            isError: true,
            content: [
              { type: 'text', text: '' },
              { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'iVBO' } },
            ],
          },
          { type: 'tool-result', callId: 'b', content: [] },
        ),
      ],
      new Set(),
    )

    expect(turns.at(-1)!.content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 'a',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } }],
        is_error: true,
      },
      { type: 'tool_result', tool_use_id: 'b' },
    ])
  })
})
