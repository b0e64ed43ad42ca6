import { describe, expect, it } from 'vitest'
import { readPlaygroundBody } from './console-session.ts'

const MESSAGES = [{ role: 'user', content: 'hi' }]
const read = (fields: object) => {
  const { group, text } = readPlaygroundBody({ model: 'm', messages: MESSAGES, ...fields })
  return { group, body: JSON.parse(text) as Record<string, unknown> }
}

describe('readPlaygroundBody', () => {
  it('removes the group, and keeps the fields of the chat protocol', () => {
    expect(read({ group: ' vip ', stream: true, temperature: 0, top_p: 0.5, max_tokens: 7 })).toEqual({
      group: 'vip',
      body: { model: 'm', messages: MESSAGES, stream: true, temperature: 0, top_p: 0.5, max_tokens: 7 },
    })
  })

  it.each([0, null])('forwards no token limit when it is %s', (maxTokens) => {
    expect(read({ max_tokens: maxTokens }).body).toEqual({ model: 'm', messages: MESSAGES })
  })

  it('drops the fields of a message that belong to the console', () => {
    const parts = [{ type: 'text', text: 'look' }]
    const messages = [
      { role: 'user', content: parts, id: 'a1', createAt: 5, status: 'complete' },
      { role: 'tool', content: '4', tool_call_id: 'c1', id: 'a2' },
    ]

    expect(read({ messages }).body.messages).toEqual([
      { role: 'user', content: parts },
      { role: 'tool', content: '4', tool_call_id: 'c1' },
    ])
  })

  it.each([
    ['a blank model', { model: ' ', messages: MESSAGES }, 'model_required'],
    ['no messages', { model: 'm' }, 'invalid_text_request'],
    ['an unknown role', { model: 'm', messages: [{ role: 'root' }] }, 'invalid_text_request'],
    ['a message that is none', { model: 'm', messages: ['hi'] }, 'invalid_text_request'],
    ['a thousand and one', { model: 'm', messages: Array(1001).fill(MESSAGES[0]) }, 'invalid_text'],
  ])('rejects %s', (_, json, code) => {
    expect(() => readPlaygroundBody(json)).toThrow(expect.objectContaining({ code: expect.stringMatching(`^${code}`) }))
  })
})
