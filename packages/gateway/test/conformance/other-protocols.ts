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

const FAILED_EVENT = { event_type: 'error', error: { code: '503', message: 'The model is overloaded.' } }

function interaction({ model, counts }: FakeResponse, status: string, steps: readonly object[]) {
  return {
    id: 'v1_1',
    object: 'interaction',
    model,
    created: '2026-11-16T12:00:00Z',
    updated: '2026-11-16T12:00:00Z',
    status,
    steps,
    ...(counts && {
      usage: {
        total_input_tokens: counts.input,
        total_output_tokens: counts.output,
        total_tokens: counts.input + counts.output,
      },
    }),
  }
}

/** Google's Interactions API. The last event of a stream has no steps. */
export const interactionsFormat: WireFormat = {
  whole: (output) =>
    json(
      interaction(output, 'completed', [{ type: 'model_output', content: [{ type: 'text', text: textOf(output) }] }]),
    ),
  stream: (output) =>
    events([
      ...[
        {
          event_type: 'interaction.created',
          interaction: interaction({ ...output, counts: undefined }, 'in_progress', []),
        },
        { event_type: 'step.start', index: 0, step: { type: 'model_output' } },
        ...output.pieces.map((text) => ({ event_type: 'step.delta', index: 0, delta: { type: 'text', text } })),
        { event_type: 'step.stop', index: 0 },
        { event_type: 'interaction.completed', interaction: interaction(output, 'completed', []) },
      ].map((event, index) => ({ ...event, event_id: `e${index}` })),
      '[DONE]',
    ]),
  withError: (stream) => (stream ? events([FAILED_EVENT]) : json(UNAVAILABLE)),
}
