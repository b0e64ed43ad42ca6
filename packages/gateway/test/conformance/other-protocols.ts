import { amazonEvents, events, json, textOf, type Said, type Words } from './wire-formats.ts'

const OVERLOADED = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }

function message(said: Said) {
  const { input = 0, output = 0 } = said.counts ?? {}
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: said.model,
    content: [{ type: 'text', text: textOf(said) }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    ...(said.counts && { usage: { input_tokens: input, output_tokens: output } }),
  }
}

function messageEvents(said: Said): object[] {
  const { counts } = said
  const begun = { ...message(said), content: [], stop_reason: null }
  return [
    {
      type: 'message_start',
      message: { ...begun, ...(counts && { usage: { input_tokens: counts.input, output_tokens: 1 } }) },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    ...said.pieces.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      ...(counts && { usage: { output_tokens: counts.output } }),
    },
    { type: 'message_stop' },
  ]
}

export const anthropicWords: Words = {
  whole: (said) => json(message(said)),
  stream: (said) => events(messageEvents(said), { named: true }),
  troubled: (stream) => (stream ? events([OVERLOADED], { named: true }) : json(OVERLOADED)),
}

/** Anthropic's events in Amazon's frames. */
export const amazonWords: Words = {
  whole: (said) => json(message(said)),
  stream: (said) => amazonEvents(messageEvents(said).map((event) => ({ event }))),
  troubled: (stream) =>
    stream
      ? amazonEvents([{ event: { message: 'Too busy.' }, exception: 'serviceUnavailableException' }])
      : json(OVERLOADED),
}

const UNAVAILABLE = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }

function candidates(said: Said, text: string, isLast: boolean): object {
  const { counts } = said
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...(isLast && { finishReason: 'STOP' }) }],
    ...(counts && {
      usageMetadata: {
        promptTokenCount: counts.input,
        candidatesTokenCount: counts.output,
        totalTokenCount: counts.input + counts.output,
      },
    }),
    modelVersion: said.model,
    responseId: 'r1',
  }
}

export const geminiWords: Words = {
  whole: (said) => json(candidates(said, textOf(said), true)),
  stream: (said) =>
    events(said.pieces.map((piece, index) => candidates(said, piece, index === said.pieces.length - 1))),
  troubled: (stream) => (stream ? events([UNAVAILABLE]) : json(UNAVAILABLE)),
}
