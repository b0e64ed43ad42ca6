import { ApiError } from '../../../api/errors.ts'
import { newEventReader } from '../../../api/events.ts'
import { serverLanguage, i18n } from '../../../lib/i18n.ts'
import { expireSession } from '../../../api/session.ts'
import { stored } from '../../../lib/stored.ts'
import type { ChatMessage, Failure, Picture } from '../conversation/conversation.ts'

export interface ChatRequest {
  model: string
  group: string
  messages: readonly ChatMessage[]
  stream: true
  stream_options: { include_usage: true }
  max_tokens: number
  /** Left out for the default of the model. */
  temperature?: number
}

/** The request failed, or its stream ended early. */
export class ChatError extends Error {
  override readonly name = 'ChatError'
  readonly code: string

  constructor({ code, message }: Failure, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

interface Listener {
  onAccepted(requestId: string): void
  onDelta(delta: Delta): void
}

/** Reading yields to the browser after this time, so that the page stays responsive. */
const MAX_TASK_MS = 8

/** Sends a request and reads its stream to the end. Throws a `ChatError`, or the reason of the signal. */
export async function streamChat(request: ChatRequest, signal: AbortSignal, listener: Listener): Promise<void> {
  const response = await send(request, signal)
  const requestId = response.headers.get('x-request-id') ?? ''
  listener.onAccepted(requestId)
  if (response.status === 401) expireSession()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (!response.ok || !isStream || !response.body) throw await errorOf(response)

  let isDone = false
  const readEvents = newEventReader((data) => {
    if (isDone) return
    if (data === '[DONE]') {
      isDone = true
      return
    }
    const delta = readChunk(data)
    if (delta?.failure) throw new ChatError(delta.failure)
    if (delta) listener.onDelta(delta)
  })
  try {
    // A TextDecoderStream would cost more than everything else at a thousand chunks per second.
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    let since = performance.now()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      readEvents(decoder.decode(value, { stream: true }))
      if (performance.now() - since < MAX_TASK_MS) continue
      await nextTask()
      since = performance.now()
    }
  } catch (error) {
    if (signal.aborted || error instanceof ChatError) throw error
    throw interrupted(error)
  }
  if (!isDone) throw interrupted()
}

async function send(request: ChatRequest, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch('/pg/chat/completions', {
      method: 'POST',
      headers: {
        Accept: 'text/event-stream',
        'Accept-Language': serverLanguage(),
        'Content-Type': 'application/json',
        'Tidegate-User': String(stored.user.get()?.id ?? -1),
      },
      credentials: 'same-origin',
      body: JSON.stringify(request),
      signal,
    })
  } catch (error) {
    if (signal.aborted) throw error
    throw new ChatError({ code: 'network', message: i18n.t('common:errors.network') }, { cause: error })
  }
}

async function errorOf(response: Response): Promise<ChatError> {
  const body: unknown = await response.json().catch(() => undefined)
  const { code = '', message = '' } = failureIn(body) ?? {}
  if (message !== '') return new ChatError({ code, message })
  // The error page of a proxy.
  const { status } = response
  return new ChatError(new ApiError({ status, code: 'unknown', serverMessage: '', requestId: '' }))
}

function interrupted(cause?: unknown): ChatError {
  return new ChatError({ code: 'interrupted', message: i18n.t('playground:interrupted') }, { cause })
}

/** Lets the browser paint and handle input. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}

/** What one event of a stream adds to the answer. */
export interface Delta {
  text: string
  thinking: string
  pictures: Picture[]
  usage?: { inputTokens: number; outputTokens: number }
  failure?: Failure
}

/** Undefined for an event that is not JSON. */
export function readChunk(data: string): Delta | undefined {
  const chunk = parse(data)
  if (chunk === undefined) return undefined
  const failure = failureIn(chunk)
  if (failure) return { text: '', thinking: '', pictures: [], failure }
  const choice = memberOf(memberOf(chunk, 'choices'), '0')
  const message = memberOf(choice, 'delta') ?? memberOf(choice, 'message')
  const usage = usageIn(chunk)
  return {
    text: textOf(memberOf(message, 'content')) || textOf(memberOf(message, 'refusal')),
    thinking: textOf(memberOf(message, 'reasoning_content')) || textOf(memberOf(message, 'reasoning')),
    pictures: picturesIn(memberOf(message, 'images')),
    ...(usage && { usage }),
  }
}

/** The error of an event or a response. The request ID is cut off, because it is shown separately. */
function failureIn(body: unknown): Failure | undefined {
  const error = memberOf(body, 'error')
  if (error === undefined || error === null) return undefined
  const message = (textOf(memberOf(error, 'message')) || textOf(error)).replace(/ \(request id: [^)]*\)$/, '')
  return { code: textOf(memberOf(error, 'code')), message }
}

function picturesIn(images: unknown): Picture[] {
  if (!Array.isArray(images)) return []
  return images.flatMap((image: unknown) => {
    const url = textOf(memberOf(memberOf(image, 'image_url'), 'url'))
    return isPicture(url) ? [{ url, name: '' }] : []
  })
}

/** SVG is not allowed: it can contain scripts. */
export const isPicture = (url: string): boolean =>
  /^https:\/\//i.test(url) || /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);base64,/i.test(url)

function usageIn(chunk: unknown): Delta['usage'] {
  const usage = memberOf(chunk, 'usage')
  const [input, output] = [memberOf(usage, 'prompt_tokens'), memberOf(usage, 'completion_tokens')]
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  return { inputTokens: input, outputTokens: output }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data) as unknown
  } catch {
    return undefined
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
