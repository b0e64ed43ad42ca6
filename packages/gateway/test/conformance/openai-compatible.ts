import { events, json, textOf, type Body, type Said, type Words } from './wire-formats.ts'

/**
 * Where a provider reports usage in a stream: in its own chunk on request, with the last or every chunk, or not at all.
 */
export type Counting = 'asked' | 'last' | 'choice' | 'every' | 'never'

const TROUBLE = { error: { message: 'The engine is overloaded.', type: 'server_error', param: null, code: null } }

/** Chats in OpenAI's format, and of compatible providers. */
export function chatWords(counting: Counting): Words {
  return {
    whole: (said) =>
      json({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: said.model,
        choices: [{ index: 0, message: { role: 'assistant', content: textOf(said) }, finish_reason: 'stop' }],
        ...usageOf(said),
      }),
    stream(said, asked) {
      const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1,
        model: said.model,
        choices: [{ index: 0, delta, finish_reason, ...(counting === 'choice' && finish_reason ? more : {}) }],
        ...(counting === 'every' || (counting === 'last' && finish_reason) ? more : {}),
      })
      const counts = usageOf(said)
      const apart =
        counting === 'asked' && wantsUsage(asked) && said.counts ? [{ ...chunk({}), choices: [], ...counts }] : []
      return events([
        chunk({ role: 'assistant', content: '' }, null, counts),
        ...said.pieces.map((content) => chunk({ content }, null, counts)),
        chunk({}, 'stop', counts),
        ...apart,
        '[DONE]',
      ])
    },
    troubled: (stream) => (stream ? events([TROUBLE]) : json(TROUBLE)),
  }
}

/** The legacy completions API. */
export const completionWords: Words = {
  whole: (said) =>
    json({
      id: 'cmpl-1',
      object: 'text_completion',
      created: 1,
      model: said.model,
      choices: [{ index: 0, text: textOf(said), finish_reason: 'stop', logprobs: null }],
      ...usageOf(said),
    }),
  stream(said, asked) {
    const chunk = (text: string, finish_reason: string | null = null) => ({
      id: 'cmpl-1',
      object: 'text_completion',
      created: 1,
      model: said.model,
      choices: [{ index: 0, text, finish_reason, logprobs: null }],
    })
    const apart = wantsUsage(asked) && said.counts ? [{ ...chunk(''), choices: [], ...usageOf(said) }] : []
    return events([...said.pieces.map((piece) => chunk(piece)), chunk('', 'stop'), ...apart, '[DONE]'])
  },
  troubled: (stream) => (stream ? events([TROUBLE]) : json(TROUBLE)),
}

/** The Responses API. */
export const responsesWords: Words = {
  whole: (said) => json(response(said, 'completed')),
  stream(said) {
    const item = { id: 'msg_1', type: 'message', role: 'assistant' }
    const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
    return events(
      [
        { type: 'response.created', response: { ...response(said, 'in_progress'), output: [], usage: null } },
        { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
        { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '', annotations: [] } },
        ...said.pieces.map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
        { type: 'response.output_text.done', ...place, text: textOf(said) },
        { type: 'response.output_item.done', output_index: 0, item: response(said, 'completed').output[0] },
        { type: 'response.completed', response: response(said, 'completed') },
      ].map((event, sequence_number) => ({ ...event, sequence_number })),
      { named: true },
    )
  },
  troubled(stream) {
    const failed = {
      ...response({ model: 'm', pieces: [] }, 'failed'),
      output: [],
      error: { code: 'server_error', message: 'The engine is overloaded.' },
    }
    return stream ? events([{ type: 'response.failed', response: failed }], { named: true }) : json(failed)
  },
}

function response(said: Said, status: string) {
  const content = [{ type: 'output_text', text: textOf(said), annotations: [] }]
  const { counts } = said
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status,
    error: null as object | null,
    model: said.model,
    output: [{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }],
    usage: counts && {
      input_tokens: counts.input,
      output_tokens: counts.output,
      total_tokens: counts.input + counts.output,
    },
  }
}

function usageOf({ counts }: Said): object {
  if (!counts) return {}
  const { input, output } = counts
  return { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } }
}

function wantsUsage({ stream_options }: Body): boolean {
  return (stream_options as { include_usage?: unknown } | undefined)?.include_usage === true
}
