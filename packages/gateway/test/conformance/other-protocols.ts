import { amazonEvents, events, json, textOf, type FakeResponse, type WireFormat } from './wire-formats.ts'

const OVERLOADED = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }

function message(response: FakeResponse) {
  const { input = 0, output = 0 } = response.counts ?? {}
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: response.model,
    content: [{ type: 'text', text: textOf(response) }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    ...(response.counts && { usage: { input_tokens: input, output_tokens: output } }),
  }
}

function messageEvents(output: FakeResponse): object[] {
  const { counts } = output
  const begun = { ...message(output), content: [], stop_reason: null }
  return [
    {
      type: 'message_start',
      message: { ...begun, ...(counts && { usage: { input_tokens: counts.input, output_tokens: 1 } }) },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    ...output.pieces.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      ...(counts && { usage: { output_tokens: counts.output } }),
    },
    { type: 'message_stop' },
  ]
}

export const anthropicFormat: WireFormat = {
  whole: (output) => json(message(output)),
  stream: (output) => events(messageEvents(output), { named: true }),
  withError: (stream) => (stream ? events([OVERLOADED], { named: true }) : json(OVERLOADED)),
}

/** Anthropic's events in Amazon's frames. */
export const amazonFormat: WireFormat = {
  whole: (output) => json(message(output)),
  stream: (output) => amazonEvents(messageEvents(output).map((event) => ({ event }))),
  withError: (stream) =>
    stream
      ? amazonEvents([{ event: { message: 'Too busy.' }, exception: 'serviceUnavailableException' }])
      : json(OVERLOADED),
}

const UNAVAILABLE = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }

function candidates(output: FakeResponse, text: string, isLast: boolean): object {
  const { counts } = output
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...(isLast && { finishReason: 'STOP' }) }],
    ...(counts && {
      usageMetadata: {
        promptTokenCount: counts.input,
        candidatesTokenCount: counts.output,
        totalTokenCount: counts.input + counts.output,
      },
    }),
    modelVersion: output.model,
    responseId: 'r1',
  }
}

export const geminiFormat: WireFormat = {
  whole: (output) => json(candidates(output, textOf(output), true)),
  stream: (output) =>
    events(output.pieces.map((piece, index) => candidates(output, piece, index === output.pieces.length - 1))),
  withError: (stream) => (stream ? events([UNAVAILABLE]) : json(UNAVAILABLE)),
}
