import { events, json, textOf, type Reply, type Said, type Words } from './wire-formats.ts'

const DIFY_TROUBLE = { event: 'error', status: 500, code: 'internal_server_error', message: 'Internal error.' }

/** Dify: a response with usage in its metadata. */
export const difyWords: Words = {
  whole: (said) =>
    json({ event: 'message', ...DIFY_IDS, mode: 'chat', answer: textOf(said), ...difyMetadata(said), created_at: 1 }),
  stream: (said) =>
    events([
      { event: 'workflow_started', ...DIFY_IDS },
      ...said.pieces.map((answer) => ({ event: 'message', ...DIFY_IDS, answer, created_at: 1 })),
      { event: 'message_end', ...DIFY_IDS, ...difyMetadata(said) },
    ]),
  troubled: (stream) => (stream ? events([DIFY_TROUBLE]) : json(DIFY_TROUBLE)),
}

const DIFY_IDS = { message_id: 'm1', conversation_id: 'c1', task_id: 't1' }

function difyMetadata({ counts }: Said): object {
  return { metadata: counts ? { usage: { prompt_tokens: counts.input, completion_tokens: counts.output } } : {} }
}

/** Tencent: capitalized names, and a whole response inside an envelope. */
export const hunyuanWords: Words = {
  whole: (said) =>
    json({
      Response: {
        RequestId: 'r1',
        Id: 'h1',
        Created: 1,
        Choices: [{ Message: { Role: 'assistant', Content: textOf(said) }, FinishReason: 'stop' }],
        ...hunyuanUsage(said),
      },
    }),
  stream: (said) =>
    events(
      said.pieces.map((Content, index) => ({
        Id: 'h1',
        Created: 1,
        Choices: [
          {
            Delta: { Role: 'assistant', Content },
            FinishReason: index === said.pieces.length - 1 ? 'stop' : '',
          },
        ],
        ...hunyuanUsage(said),
      })),
    ),
  troubled: () => hunyuanError('InternalError', 'internal error'),
}

export function hunyuanError(Code: string, Message: string): Reply {
  return json({ Response: { Error: { Code, Message }, RequestId: 'r1' } })
}

function hunyuanUsage({ counts }: Said): object {
  if (!counts) return {}
  const { input, output } = counts
  return { Usage: { PromptTokens: input, CompletionTokens: output, TotalTokens: input + output } }
}

/** Baidu's first platform: a result, and a flag on the last chunk. */
export const baiduWords: Words = {
  whole: (said) =>
    json({ id: 'as-1', object: 'chat.completion', created: 1, result: textOf(said), ...baiduUsage(said) }),
  stream: (said) =>
    events(
      said.pieces.map((result, index) => ({
        id: 'as-1',
        object: 'chat.completion',
        created: 1,
        sentence_id: index,
        is_end: index === said.pieces.length - 1,
        is_truncated: false,
        result,
        ...baiduUsage(said),
      })),
    ),
  troubled: () => baiduError(336000, 'Internal error'),
}

export function baiduError(error_code: number, error_msg: string): Reply {
  return json({ error_code, error_msg, id: 'as-1' })
}

function baiduUsage({ counts }: Said): object {
  if (!counts) return {}
  const { input, output } = counts
  return { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } }
}

/** Spark sends messages on a WebSocket: one per line here. */
export const sparkWords: Words = {
  whole: (said) => sparkMessages(said),
  stream: (said) => sparkMessages(said),
  troubled: () => sparkError(10012, 'engine internal error'),
}

function sparkMessages({ pieces, counts }: Said): Reply {
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
export const palmWords: Words = {
  whole: (said) => json({ candidates: [{ author: '1', content: textOf(said) }], messages: [] }),
  stream: (said) => palmWords.whole(said),
  troubled: () => json({ error: { code: 503, message: 'Service unavailable.', status: 'UNAVAILABLE' } }),
}
