import { events, json, textOf, type Reply, type FakeResponse, type WireFormat } from './wire-formats.ts'

const DIFY_ERROR = { event: 'error', status: 500, code: 'internal_server_error', message: 'Internal error.' }

/** Dify: a response with usage in its metadata. */
export const difyFormat: WireFormat = {
  whole: (output) =>
    json({
      event: 'message',
      ...DIFY_IDS,
      mode: 'chat',
      answer: textOf(output),
      ...difyMetadata(output),
      created_at: 1,
    }),
  stream: (output) =>
    events([
      { event: 'workflow_started', ...DIFY_IDS },
      ...output.pieces.map((answer) => ({ event: 'message', ...DIFY_IDS, answer, created_at: 1 })),
      { event: 'message_end', ...DIFY_IDS, ...difyMetadata(output) },
    ]),
  withError: (stream) => (stream ? events([DIFY_ERROR]) : json(DIFY_ERROR)),
}

const DIFY_IDS = { message_id: 'm1', conversation_id: 'c1', task_id: 't1' }

function difyMetadata({ counts }: FakeResponse): object {
  return { metadata: counts ? { usage: { prompt_tokens: counts.input, completion_tokens: counts.output } } : {} }
}

/** Tencent: capitalized names, and a whole response inside an envelope. */
export const hunyuanFormat: WireFormat = {
  whole: (output) =>
    json({
      Response: {
        RequestId: 'r1',
        Id: 'h1',
        Created: 1,
        Choices: [{ Message: { Role: 'assistant', Content: textOf(output) }, FinishReason: 'stop' }],
        ...hunyuanUsage(output),
      },
    }),
  stream: (output) =>
    events(
      output.pieces.map((Content, index) => ({
        Id: 'h1',
        Created: 1,
        Choices: [
          {
            Delta: { Role: 'assistant', Content },
            FinishReason: index === output.pieces.length - 1 ? 'stop' : '',
          },
        ],
        ...hunyuanUsage(output),
      })),
    ),
  withError: () => hunyuanError('InternalError', 'internal error'),
}

export function hunyuanError(Code: string, Message: string): Reply {
  return json({ Response: { Error: { Code, Message }, RequestId: 'r1' } })
}

function hunyuanUsage({ counts }: FakeResponse): object {
  if (!counts) return {}
  const { input, output } = counts
  return { Usage: { PromptTokens: input, CompletionTokens: output, TotalTokens: input + output } }
}

/** Baidu's first platform: a result, and a flag on the last chunk. */
export const baiduFormat: WireFormat = {
  whole: (output) =>
    json({ id: 'as-1', object: 'chat.completion', created: 1, result: textOf(output), ...baiduUsage(output) }),
  stream: (output) =>
    events(
      output.pieces.map((result, index) => ({
        id: 'as-1',
        object: 'chat.completion',
        created: 1,
        sentence_id: index,
        is_end: index === output.pieces.length - 1,
        is_truncated: false,
        result,
        ...baiduUsage(output),
      })),
    ),
  withError: () => baiduError(336000, 'Internal error'),
}

export function baiduError(error_code: number, error_msg: string): Reply {
  return json({ error_code, error_msg, id: 'as-1' })
}

function baiduUsage({ counts }: FakeResponse): object {
  if (!counts) return {}
  const { input, output } = counts
  return { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } }
}

/** Spark sends messages on a WebSocket: one per line here. */
export const sparkFormat: WireFormat = {
  whole: (output) => sparkMessages(output),
  stream: (output) => sparkMessages(output),
  withError: () => sparkError(10012, 'engine internal error'),
}

function sparkMessages({ pieces, counts }: FakeResponse): Reply {
  const messages = pieces.map((content, seq) => {
    const status = seq === pieces.length - 1 ? 2 : Math.min(1, seq)
    return {
      header: { code: 0, message: 'Success', sid: 's1', status },
      payload: {
        choices: { status, seq, text: [{ content, role: 'assistant', index: 0 }] },
        ...(status === 2 &&
          counts && { usage: { text: { prompt_tokens: counts.input, completion_tokens: counts.output } } }),
      },
    }
  })
  return { body: messages.map((message) => JSON.stringify(message)).join('\n') }
}

export function sparkError(code: number, message: string): Reply {
  return { body: JSON.stringify({ header: { code, message, sid: 's1', status: 2 } }) }
}

/** Google's models before Gemini: whole responses without usage. */
export const palmFormat: WireFormat = {
  whole: (output) => json({ candidates: [{ author: '1', content: textOf(output) }], messages: [] }),
  stream: (output) => palmFormat.whole(output),
  withError: () => json({ error: { code: 503, message: 'Service unavailable.', status: 'UNAVAILABLE' } }),
}
