import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { chunksOf, type UpstreamEvent } from './chunks.ts'
import { completionOf } from './completion.ts'
import { type ChatRequest, composeAnswer } from './compose-answer.ts'
import { frameEvents } from './frame-events.ts'
import type { ReceivedRequest } from './record.ts'
import type { Script } from './script.ts'
import { SocketWriter } from './socket-writer.ts'

/** Answers one chat request as its script says. Throws an AbortError when the caller leaves meanwhile. */
export async function playScript(
  script: Script,
  received: ReceivedRequest,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  if (script.hang) return await untilGone(gone)
  await pause(script.headersAfterMs, gone)

  const request = (received.body ?? {}) as ChatRequest
  const answer = composeAnswer(request, script, received.sequence)
  if (script.body !== undefined) return await playBody(script.body, script, received, response, gone)
  if (script.status !== undefined && script.status >= 400) {
    return await playBody(errorBody(script.status), script, received, response, gone)
  }
  if (!request.stream) {
    received.sent.text = answer.text
    received.sent.tokens = answer.usage.completion_tokens
    return await playBody(completionOf(answer, script.usage), script, received, response, gone)
  }
  const events = chunksOf(answer, {
    includeUsage: request.stream_options?.include_usage === true,
    placement: script.usage,
    deltaLength: script.deltaLength,
  })
  await playStream(withError(events, script), script, received, response, gone)
}

/** A body in one piece: a completion, an error, or whatever the script gives. */
async function playBody(
  body: unknown,
  script: Script,
  { sent }: ReceivedRequest,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  start(response, sent, script, { 'content-type': 'application/json', 'content-length': String(bytes.length) })
  response.flushHeaders()
  await pause(script.firstEventAfterMs, gone)
  if (script.stallAfterEvents !== undefined) return await untilGone(gone)

  const part = script.cut === undefined ? bytes : bytes.subarray(0, script.cut.partialBytes ?? bytes.length >> 1)
  const writer = new SocketWriter(response, script.writeSizes)
  await writer.write(part)
  await writer.flush()
  sent.bytes += part.length
  await (script.cut === undefined ? end(response) : cut(response, sent))
}

async function playStream(
  events: readonly UpstreamEvent[],
  script: Script,
  { sent }: ReceivedRequest,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  start(response, sent, script, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.flushHeaders()
  await pause(script.firstEventAfterMs, gone)

  const writer = new SocketWriter(response, script.writeSizes)
  const frames = frameEvents(events, script.errorEvent ? { ...script.framing, done: false } : script.framing)
  for (const [index, bytes] of frames.entries()) {
    if (index > 0) await pause(script.betweenEventsMs, gone)
    if (index === script.stallAfterEvents) {
      await writer.flush()
      return await untilGone(gone)
    }
    if (index === script.cut?.afterEvents) {
      await writer.write(bytes.subarray(0, script.cut.partialBytes ?? 0))
      await writer.flush()
      return await cut(response, sent)
    }
    await writer.write(bytes)
    gone.throwIfAborted()
    countSent(sent, bytes, events[index])
  }
  await writer.flush()
  await end(response)
}

function countSent(sent: ReceivedRequest['sent'], bytes: Buffer, event: UpstreamEvent | undefined): void {
  sent.events += 1
  sent.bytes += bytes.length
  sent.text += event?.text ?? ''
  sent.tokens += event?.tokens ?? 0
}

function start(
  response: ServerResponse,
  sent: ReceivedRequest['sent'],
  script: Script,
  headers: Record<string, string>,
): void {
  sent.status = script.status ?? 200
  response.writeHead(sent.status, { ...headers, ...script.headers })
}

function withError(events: UpstreamEvent[], { errorEvent }: Script): UpstreamEvent[] {
  if (errorEvent === undefined) return events
  const { afterEvents, data, name } = errorEvent
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return [...events.slice(0, afterEvents), { data: text, name, text: '', tokens: 0 }]
}

function errorBody(status: number) {
  const type = status === 401 ? 'authentication_error' : status === 429 ? 'rate_limit_error' : 'server_error'
  return { error: { message: `The fake upstream was asked to answer ${status}.`, type, param: null, code: null } }
}

async function pause(milliseconds: number | undefined, gone: AbortSignal): Promise<void> {
  if (milliseconds !== undefined && milliseconds > 0) await delay(milliseconds, undefined, { signal: gone })
  gone.throwIfAborted()
}

async function untilGone(gone: AbortSignal): Promise<void> {
  if (!gone.aborted) await once(gone, 'abort')
}

async function end(response: ServerResponse): Promise<void> {
  response.end()
  if (!response.writableFinished && !response.destroyed) {
    await Promise.race([once(response, 'finish'), once(response, 'close')])
  }
}

/** Resets the connection, after what was written so far has left. */
async function cut(response: ServerResponse, sent: ReceivedRequest['sent']): Promise<void> {
  await new Promise<void>((resolve) => response.write('', () => resolve()))
  sent.outcome = 'cut'
  response.socket?.destroy()
}
