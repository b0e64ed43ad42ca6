import { GoogleGenAI, type Interactions } from '@google/genai'
import {
  type ChatSettings,
  type Client,
  type ClientResponse,
  type Conversation,
  type ConversationOptions,
  EMPTY_RESPONSE,
  type MessagePart,
  type ReceivedError,
  type ToolResult,
} from '../conversation.ts'
import { tap } from './record-response.ts'

type Step = Interactions.Step
type Content = Interactions.Content
type Event = Interactions.InteractionSSEEvent
type Usage = Interactions.Usage

/** `@google/genai`, interactions. Nothing is stored: the client sends all steps back. */
export const geminiInteractionsClient: Client = {
  protocol: 'gemini-interactions',
  finishReasons: {
    stop: 'completed',
    'stop-sequence': 'completed',
    length: 'incomplete',
    'tool-calls': 'requires_action',
    refusal: 'failed',
  },
  open: openInteractions,
  endsWell: (raw) =>
    /event: interaction\.completed\r?\ndata: [^\n]*\n\r?\nevent: done\r?\ndata: \[DONE\]\s*$/.test(raw),
  isOwnError: ({ shape }) => {
    const { code, message } = (shape as { error?: Record<string, unknown> } | undefined)?.error ?? {}
    return (typeof code === 'number' || typeof code === 'string') && typeof message === 'string'
  },
}

interface ReceivedTurn {
  steps: Step[]
  /** Streamed arguments by index of the step. */
  inputs: Map<number, string>
  status?: string
  usage?: Usage
  error?: unknown
}

function openInteractions({ url, key, model: first, stream, settings }: ConversationOptions): Conversation {
  let model = first
  const wire = tap()
  const sdk = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url, fetch: wire.fetch } })
  const input: Step[] = []

  async function send(...steps: Step[]): Promise<ClientResponse> {
    input.push(...steps)
    const request = { model, input: [...input], store: false, ...paramsOf(settings) }
    const turn: ReceivedTurn = { steps: [], inputs: new Map() }
    try {
      if (stream) await readStream(await sdk.interactions.create({ ...request, stream: true }, NO_RETRIES), turn)
      else Object.assign(turn, await sdk.interactions.create(request, NO_RETRIES))
      input.push(...turn.steps)
      const error = turn.error === undefined ? undefined : errorOf({ error: turn.error })
      return { ...responseFrom(turn), error, raw: await wire.raw() }
    } catch (error) {
      const raw = await wire.raw()
      return { ...responseFrom(turn), error: thrownError(error, raw), raw }
    }
  }

  return {
    send: (...parts) => send({ type: 'user_input', content: parts.map(contentOf) }),
    sendToolResults: (results) => send(...results.map(resultStep)),
    turnTo: (other) => void (model = other),
  }
}

const NO_RETRIES = { maxRetries: 0 }

/** Joins the deltas of each step, as the documentation of the SDK shows it. */
async function readStream(events: AsyncIterable<Event>, turn: ReceivedTurn): Promise<void> {
  for await (const event of events) {
    switch (event.event_type) {
      case 'step.start':
        turn.steps[event.index] = { ...event.step }
        break
      case 'step.delta':
        addDelta(turn, event.index, event.delta)
        break
      case 'interaction.completed':
        turn.status = event.interaction.status
        turn.usage = event.interaction.usage
        break
      case 'error':
        turn.error = event.error
        break
      default:
    }
  }
}

function addDelta({ steps, inputs }: ReceivedTurn, index: number, delta: Interactions.StepDelta['delta']): void {
  const step = steps[index]
  if (step?.type === 'model_output') {
    const content = (step.content ??= [])
    const last = content.at(-1)
    if (delta.type === 'text' && last?.type === 'text') last.text += delta.text
    else if (delta.type === 'text') content.push({ type: 'text', text: delta.text })
    else if (delta.type === 'image') content.push(delta)
  } else if (step?.type === 'thought') {
    if (delta.type === 'thought_signature') step.signature = delta.signature
    else if (delta.type === 'thought_summary' && delta.content?.type === 'text') {
      const [summary] = step.summary ?? []
      const before = summary?.type === 'text' ? summary.text : ''
      step.summary = [{ type: 'text', text: before + delta.content.text }]
    }
  } else if (step?.type === 'function_call' && delta.type === 'arguments_delta') {
    const text = (inputs.get(index) ?? '') + (delta.arguments ?? '')
    inputs.set(index, text)
    step.arguments = parsed(text) ?? step.arguments
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined // the rest follows
  }
}

function responseFrom({ steps, inputs, status, usage }: ReceivedTurn): ClientResponse {
  const textsIn = (contents: readonly Content[] | undefined) =>
    (contents ?? []).map((content) => (content.type === 'text' ? content.text : '')).join('')
  return {
    ...EMPTY_RESPONSE,
    text: steps.map((step) => (step.type === 'model_output' ? textsIn(step.content) : '')).join(''),
    thinking: steps.map((step) => (step.type === 'thought' ? textsIn(step.summary) : '')).join(''),
    toolCalls: steps.flatMap((step, index) => {
      if (step.type !== 'function_call') return []
      const streamed = inputs.get(index)
      const text = streamed ?? JSON.stringify(step.arguments)
      return [{ id: step.id, name: step.name, arguments: text, exact: streamed !== undefined }]
    }),
    finish: status,
    usage: usage && {
      input: usage.total_input_tokens ?? 0,
      output: (usage.total_output_tokens ?? 0) + (usage.total_thought_tokens ?? 0),
      cacheRead: usage.total_cached_tokens ?? 0,
      reasoning: usage.total_thought_tokens ?? 0,
    },
  }
}

function errorOf(shape: { error?: unknown }, status?: number): ReceivedError {
  return { status, message: (shape.error as { message?: string } | undefined)?.message ?? '', shape }
}

/** The SDK throws for a status. The body is what it received. */
function thrownError(error: unknown, raw: string): ReceivedError {
  const { status } = error as { status?: number }
  if (status === undefined) throw error
  return errorOf(JSON.parse(raw) as { error?: unknown }, status)
}

function contentOf(part: MessagePart): Content {
  if ('text' in part) return { type: 'text', text: part.text }
  if ('imageUrl' in part) return { type: 'image', uri: part.imageUrl, mime_type: 'image/png' }
  if ('image' in part) return { type: 'image', data: part.image.data, mime_type: part.image.mediaType }
  return { type: 'document', data: part.document.data, mime_type: part.document.mediaType }
}

function resultStep({ callId, name, text, image }: ToolResult): Step {
  const shown = image && { type: 'image' as const, data: image.data, mime_type: image.mediaType }
  return { type: 'function_result', call_id: callId, name, result: shown ? [{ type: 'text', text }, shown] : text }
}

function paramsOf({ system, tools, thinking, maxTokens, stop, schema }: ChatSettings) {
  const config = {
    ...(thinking && { thinking_level: 'medium' as const, thinking_summaries: 'auto' as const }),
    ...(maxTokens && { max_output_tokens: maxTokens }),
    ...(stop && { stop_sequences: [...stop] }),
  }
  return {
    ...(system && { system_instruction: system }),
    ...(tools && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function' as const,
        name,
        description,
        parameters,
      })),
    }),
    ...(Object.keys(config).length > 0 && { generation_config: config }),
    ...(schema && {
      response_format: { type: 'text' as const, mime_type: 'application/json' as const, schema: schema.schema },
    }),
  }
}
