import { describe, expect, it } from 'vitest'
import { promptParts, readRequest } from './read-request.ts'

const partsOf = (body: object) => promptParts(readRequest(JSON.stringify({ model: 'm', ...body })))

describe('promptParts', () => {
  it('collects every text of the prompt and estimates the rest', () => {
    const parts = partsOf({
      system: [{ type: 'text', text: 'be kind' }],
      messages: [
        { role: 'user', content: 'look' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'tool_use', id: 't', name: 'tide', input: { at: 1 } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 't',
              content: [
                { type: 'text', text: 'six' },
                { type: 'image', source: { type: 'url', url: 'x' } },
              ],
            },
            { type: 'tool_result', tool_use_id: 'u', content: 'seven' },
            { type: 'image', source: { type: 'url', url: 'y' } },
          ],
        },
      ],
      tools: [
        { name: 'tide', description: 'when', input_schema: { type: 'object' } },
        { type: 'bash_20250124', name: 'bash' },
      ],
    })

    expect(parts).toEqual({
      texts: ['be kind', 'look', 'tide', '{"at":1}', 'six', 'seven', 'tide', 'when', '{"type":"object"}', 'bash'],
      otherTokens: 3 * 2 + 2 * 1000 + 2 * 3,
    })
  })

  it('reads the text of documents that include it and estimates the others', () => {
    const document = (source: object) => ({ type: 'document', title: 'log', source })

    const parts = partsOf({
      system: 'be brief',
      messages: [
        {
          role: 'user',
          content: [
            document({ type: 'text', media_type: 'text/plain', data: 'day one' }),
            document({ type: 'content', content: [{ type: 'text', text: 'day two' }] }),
            document({ type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }),
            { type: 'search_result', title: 'found', source: 'x', content: [{ type: 'text', text: 'day three' }] },
          ],
        },
      ],
    })

    expect(parts).toEqual({
      texts: ['be brief', 'log', 'day one', 'log', 'day two', 'log', 'found', 'day three'],
      otherTokens: 2 + 5000,
    })
  })
})
