import type { CanonicalRequest } from '@tidegate/dialects'
import { expect, it } from 'vitest'
import { chatContent, MAX_CHARACTERS } from './chat-content.ts'

const text = (content: string) => [{ type: 'text' as const, text: content }]
const request = (messages: CanonicalRequest['messages']): CanonicalRequest => ({
  model: 'm',
  stream: false,
  tools: [],
  messages,
})

it('separates instructions, earlier messages, the last user message and the response', () => {
  const content = chatContent(
    request([
      { role: 'system', parts: text('be kind') },
      { role: 'user', parts: text('hello') },
      { role: 'assistant', parts: [{ type: 'tool-call', id: '1', name: 'look', arguments: '{"at":1}' }] },
      { role: 'user', parts: [...text('and this?'), { type: 'image', source: { kind: 'url', url: 'https://x' } }] },
    ]),
    'a tide',
  )

  expect(content).toEqual({
    systemPrompt: 'be kind',
    context: 'user: hello\nassistant: [look {"at":1}]',
    input: 'and this?\n[image]',
    output: 'a tide',
  })
})

it('masks keys and truncates long texts', () => {
  const { input, output } = chatContent(
    request([{ role: 'user', parts: text('my key is sk-abcdefghijklmnop, ok') }]),
    'x'.repeat(MAX_CHARACTERS + 1),
  )

  expect(input).toBe('my key is sk-***, ok')
  expect(output).toHaveLength(MAX_CHARACTERS + 1)
  expect(output.endsWith('x…')).toBe(true)
})

it('is blank for a request without messages', () => {
  expect(chatContent(request([]), '')).toEqual({ systemPrompt: '', context: '', input: '', output: '' })
})
