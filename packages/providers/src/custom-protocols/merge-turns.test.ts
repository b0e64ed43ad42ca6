import { describe, expect, it } from 'vitest'
import { readMessages } from './read-chat-request.ts'
import { startAndEndWithUser, mergeTurns } from './merge-turns.ts'

const turnsOf = (...messages: object[]) => mergeTurns(readMessages({ messages }))
const rolesAndTexts = (turns: readonly { role: string; text: string }[]) => turns.map(({ role, text }) => [role, text])

describe('mergeTurns', () => {
  it('joins consecutive messages of one role, and leaves tool calls and results separate', () => {
    const call = { id: 'c', function: { name: 'f', arguments: '{}' } }
    const image = { type: 'image_url', image_url: { url: 'https://x.example/a.png' } }

    const { instructions, turns } = turnsOf(
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'one' },
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'two' }, image] },
      { role: 'assistant', content: 'hm' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'a' },
      { role: 'tool', tool_call_id: 'c', content: 'b' },
    )

    expect(instructions).toBe('Be brief.\n\nBe kind.')
    expect(rolesAndTexts(turns)).toEqual([
      ['user', 'one\n\ntwo'],
      ['assistant', 'hm'],
      ['assistant', ''],
      ['tool', 'a'],
      ['tool', 'b'],
    ])
    expect(turns[0]?.images).toEqual(['https://x.example/a.png'])
  })

  it('starts and ends with a user message where a provider requires it', () => {
    const user = { role: 'user', content: 'hello' }
    const assistant = { role: 'assistant', content: 'good day' }

    expect(rolesAndTexts(startAndEndWithUser(turnsOf(assistant, user).turns))).toEqual([
      ['user', '...'],
      ['assistant', 'good day'],
      ['user', 'hello'],
    ])
    expect(() => startAndEndWithUser(turnsOf(user, assistant).turns)).toThrow(
      'a conversation that ends with an assistant message',
    )
  })
})
