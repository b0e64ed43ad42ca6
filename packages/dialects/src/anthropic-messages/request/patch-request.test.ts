import { describe, expect, it } from 'vitest'
import { wrapSignature } from '../../canonical/signature.ts'
import { writeCallSignature } from '../signatures.ts'
import { passThroughChanges } from './patch-request.ts'

const body = { model: 'claude', messages: [{ role: 'user', content: 'hi' }] }
const same = { model: 'claude', stream: false, usage: 'keep' } as const

describe('passThroughChanges', () => {
  it('changes nothing if nothing differs', () => {
    expect(passThroughChanges({ body: body, stream: false }, same)).toEqual({})
    expect(passThroughChanges({ body: body, stream: false }, { ...same, usage: 'ask' })).toEqual({})
  })

  it('changes the model and the stream flag', () => {
    expect(passThroughChanges({ body: body, stream: true }, { ...same, model: 'opus' })).toEqual({
      model: 'opus',
      stream: false,
    })
  })

  it('puts the system prompt of a channel before that of the client', () => {
    const withSystem = (system?: unknown) =>
      passThroughChanges({ body: { ...body, system }, stream: false }, { ...same, systemPrompt: 'be brief' }).system
    const block = { type: 'text', text: 'be kind', cache_control: { type: 'ephemeral' } }

    expect(withSystem()).toBe('be brief')
    expect(withSystem('be kind')).toBe('be brief\n\nbe kind')
    expect(withSystem([block])).toEqual([{ type: 'text', text: 'be brief' }, block])
  })

  it('removes thinking and call signatures of other protocols', () => {
    const signature = { dialect: 'gemini-generate', value: 'g' } as const
    const own = { type: 'thinking', thinking: 'mine', signature: 'EqQB' }
    const call = { type: 'tool_use', id: 't', name: 'tide', input: {} }
    const foreign = [
      { type: 'thinking', thinking: 'theirs', signature: wrapSignature(signature) },
      { type: 'redacted_thinking', data: wrapSignature(signature) },
      writeCallSignature(signature),
    ]
    const messages = [
      ...body.messages,
      { role: 'assistant', content: [own, ...foreign, call] },
      { role: 'assistant', content: foreign },
    ]

    expect(passThroughChanges({ body: { ...body, messages }, stream: false }, same)).toEqual({
      messages: [...body.messages, { role: 'assistant', content: [own, call] }],
    })
  })

  it('disables thinking for a turn that started with thinking of another provider', () => {
    const foreign = wrapSignature({ dialect: 'gemini-generate', value: 'g' })
    const thinking = { type: 'enabled', budget_tokens: 2000 }
    const call = { type: 'tool_use', id: 't', name: 'tide', input: {} }
    const loop = [
      ...body.messages,
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: foreign }, call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] },
    ]
    const changedMembers = (messages: unknown[]) =>
      Object.keys(passThroughChanges({ body: { ...body, thinking, messages }, stream: false }, same))

    expect(changedMembers(loop)).toEqual(['messages', 'thinking'])
    expect(changedMembers([...loop, { role: 'assistant', content: 'six' }, ...body.messages])).toEqual(['messages'])
  })
})
