import { ApiError } from '../../../api/errors.ts'
import { newEventReader } from '../../../api/events.ts'
import { serverLanguage, i18n } from '../../../lib/i18n.ts'
import { expireSession } from '../../../api/session.ts'
import { stored } from '../../../lib/stored.ts'
import type { ChatMessage } from '../conversation/messages-for.ts'
import type { Failure } from '../conversation/types.ts'
import { failureIn, readChunk, type Delta } from './read-chunk.ts'

export interface ChatRequest {
  model: string
  group: string
  messages: readonly ChatMessage[]
  stream: true
  stream_options: { include_usage: true }
  max_tokens: number
  /** Left out where the model is to decide. */
  temperature?: number
}

/** The question was not answered, or not to its end. */
export class ChatFailure extends Error {
  override readonly name = 'ChatFailure'
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

/** Longer without a pause, and the page would not keep up with its reader. */
const MAX_TURN_MS = 8

/** Asks a model and listens until it has said all. Throws a ChatFailure when it did not, or what the signal says. */
export async function streamChat(request: ChatRequest, signal: AbortSignal, listener: Listener): Promise<void> {
  const response = await send(request, signal)
  const requestId = response.headers.get('x-request-id') ?? ''
  listener.onAccepted(requestId)
  if (response.status === 401) expireSession()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (!response.ok || !isStream || !response.body) throw await refusal(response)

  let isOver = false
  const events = newEventReader((data) => {
    if (isOver) return
    if (data === '[DONE]') {
      isOver = true
      return
    }
    const delta = readChunk(data)
    if (delta?.failure) throw new ChatFailure(delta.failure)
    if (delta) listener.onDelta(delta)
  })
  try {
    // Not a stream of its own for the decoding: with a thousand pieces a second that costs more than all the rest.
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    let since = performance.now()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      events(decoder.decode(value, { stream: true }))
      if (performance.now() - since < MAX_TURN_MS) continue
      await nextTask()
      since = performance.now()
    }
  } catch (error) {
    if (signal.aborted || error instanceof ChatFailure) throw error
    throw cutShort(error)
  }
  if (!isOver) throw cutShort()
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
    throw new ChatFailure({ code: 'network', message: i18n.t('common:errors.network') }, { cause: error })
  }
}

async function refusal(response: Response): Promise<ChatFailure> {
  const answer: unknown = await response.json().catch(() => undefined)
  const { code = '', message = '' } = failureIn(answer) ?? {}
  if (message !== '') return new ChatFailure({ code, message })
  // The page of a proxy.
  const { status } = response
  return new ChatFailure(new ApiError({ status, code: 'unknown', serverMessage: '', requestId: '' }))
}

function cutShort(cause?: unknown): ChatFailure {
  return new ChatFailure({ code: 'cut_short', message: i18n.t('playground:cutShort') }, { cause })
}

/** Lets the browser draw and listen to the person. */
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
