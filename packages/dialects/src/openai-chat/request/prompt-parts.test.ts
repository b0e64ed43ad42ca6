import { describe, expect, it } from 'vitest'
import { promptParts } from './read-request.ts'

describe('promptParts', () => {
  it('collects every text of the prompt and estimates the rest', () => {
    const body = {
      messages: [
        {
          role: 'user',
          name: 'ada',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'x', detail: 'low' } },
          ],
        },
        { role: 'assistant', tool_calls: [{ function: { name: 'tide', arguments: '{}' } }] },
      ],
      tools: [{ type: 'function', function: { name: 'tide', description: 'when', parameters: { type: 'object' } } }],
    }

    expect(promptParts({ body: body })).toEqual({
      texts: ['user', 'ada', 'look', 'assistant', 'tide', '{}', 'tide', 'when', '{"type":"object"}'],
      otherTokens: 3 + 3 + 1 + 85 + 3 + 8,
    })
  })

  it('includes every text that a model reads', () => {
    const body = {
      messages: [
        { role: 'system', content: 'be kind' },
        { role: 'assistant', content: null, reasoning_content: 'thought', refusal: 'no' },
        { role: 'assistant', function_call: { name: 'old', arguments: '{"a":1}' } },
        { role: 'assistant', tool_calls: [{ type: 'custom', custom: { name: 'patch', input: '+1' } }] },
        { role: 'tool', tool_call_id: 'x', content: 'result' },
      ],
      tools: [{ type: 'custom', custom: { name: 'patch', description: 'edits', format: { type: 'text' } } }],
      functions: [{ name: 'old', description: 'older' }],
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { title: 'T' } } },
    }

    const { texts } = promptParts({ body: body })

    expect(texts).toEqual(
      expect.arrayContaining([
        'be kind',
        'thought',
        'no',
        'old',
        '{"a":1}',
        'patch',
        '+1',
        'result',
        'edits',
        'older',
        '{"type":"text"}',
        '{"title":"T"}',
      ]),
    )
  })
})
