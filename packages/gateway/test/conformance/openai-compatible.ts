import { events, json, textOf, type Body, type FakeResponse, type WireFormat } from './wire-formats.ts'

/**
 * Where a provider reports usage in a stream: in its own chunk on request, with the last or every chunk, or not at all.
 */
export type Counting = 'requested' | 'last' | 'choice' | 'every' | 'never'

const OVERLOADED_ERROR = {
  error: { message: 'The engine is overloaded.', type: 'server_error', param: null, code: null },
}

/** Chats in OpenAI's format, and of compatible providers. */
export function chatFormat(counting: Counting): WireFormat {
  return {
    whole: (output) =>
      json({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: output.model,
        choices: [{ index: 0, message: { role: 'assistant', content: textOf(output) }, finish_reason: 'stop' }],
        ...usageOf(output),
      }),
    stream(output, request) {
      const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1,
        model: output.model,
        choices: [{ index: 0, delta, finish_reason, ...(counting === 'choice' && finish_reason ? more : {}) }],
        ...(counting === 'every' || (counting === 'last' && finish_reason) ? more : {}),
      })
      const counts = usageOf(output)
      const apart =
        counting === 'requested' && wantsUsage(request) && output.counts
          ? [{ ...chunk({}), choices: [], ...counts }]
          : []
      return events([
        chunk({ role: 'assistant', content: '' }, null, counts),
        ...output.pieces.map((content) => chunk({ content }, null, counts)),
        chunk({}, 'stop', counts),
        ...apart,
        '[DONE]',
      ])
    },
    withError: (stream) => (stream ? events([OVERLOADED_ERROR]) : json(OVERLOADED_ERROR)),
  }
}

/** The legacy completions API. */
export const completionFormat: WireFormat = {
  whole: (output) =>
    json({
      id: 'cmpl-1',
      object: 'text_completion',
      created: 1,
      model: output.model,
      choices: [{ index: 0, text: textOf(output), finish_reason: 'stop', logprobs: null }],
      ...usageOf(output),
    }),
  stream(output, request) {
    const chunk = (text: string, finish_reason: string | null = null) => ({
      id: 'cmpl-1',
      object: 'text_completion',
      created: 1,
      model: output.model,
      choices: [{ index: 0, text, finish_reason, logprobs: null }],
    })
    const apart = wantsUsage(request) && output.counts ? [{ ...chunk(''), choices: [], ...usageOf(output) }] : []
    return events([...output.pieces.map((piece) => chunk(piece)), chunk('', 'stop'), ...apart, '[DONE]'])
  },
  withError: (stream) => (stream ? events([OVERLOADED_ERROR]) : json(OVERLOADED_ERROR)),
}

/** The Responses API. */
export const responsesFormat: WireFormat = {
  whole: (output) => json(response(output, 'completed')),
  stream(output) {
    const item = { id: 'msg_1', type: 'message', role: 'assistant' }
    const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
    return events(
      [
        { type: 'response.created', response: { ...response(output, 'in_progress'), output: [], usage: null } },
        { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
        { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '', annotations: [] } },
        ...output.pieces.map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
        { type: 'response.output_text.done', ...place, text: textOf(output) },
        { type: 'response.output_item.done', output_index: 0, item: response(output, 'completed').output[0] },
        { type: 'response.completed', response: response(output, 'completed') },
      ].map((event, sequence_number) => ({ ...event, sequence_number })),
      { named: true },
    )
  },
  withError(stream) {
    const failed = {
      ...response({ model: 'm', pieces: [] }, 'failed'),
      output: [],
      error: { code: 'server_error', message: 'The engine is overloaded.' },
    }
    return stream ? events([{ type: 'response.failed', response: failed }], { named: true }) : json(failed)
  },
}

function response(output: FakeResponse, status: string) {
  const content = [{ type: 'output_text', text: textOf(output), annotations: [] }]
  const { counts } = output
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status,
    error: null as object | null,
    model: output.model,
    output: [{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }],
    usage: counts && {
      input_tokens: counts.input,
      output_tokens: counts.output,
      total_tokens: counts.input + counts.output,
    },
  }
}

function usageOf({ counts }: FakeResponse): object {
  if (!counts) return {}
  const { input, output } = counts
  return { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } }
}

function wantsUsage({ stream_options }: Body): boolean {
  return (stream_options as { include_usage?: unknown } | undefined)?.include_usage === true
}
