import {
  createFrameReader,
  FrameTooLarge,
  parseJsonObject,
  type StreamFrame,
  type JsonObject,
} from '@tidegate/dialects'
import type { ResponseContext } from '../provider.ts'
import type { UpstreamResponse } from '../upstream/types.ts'
import { failureFromResponse, FAILURES, parseError, UpstreamFailure } from '../upstream/failure.ts'
import { readBody, readJsonText } from '../upstream/read-body.ts'
import type { ResponseChunk } from './response-chunk.ts'
import { createChatWriter, type ChatWriter } from './write-chat-response.ts'

/** Reads one response of a provider. All methods throw an UpstreamFailure if the provider reports an error. */
export interface ResponseReader {
  /** Undefined for events without content. */
  readEvent(data: JsonObject): ResponseChunk | undefined
  readBody(body: JsonObject): ResponseChunk
  /** The failure that an error body describes, if the body says more than the status. */
  readError?(status: number, body: JsonObject): UpstreamFailure | undefined
}

const ERROR_CAP_BYTES = 1024 * 1024

/** Translates a response in a provider's own format to OpenAI's chat format, streamed or whole. */
export function translateResponse(
  response: UpstreamResponse,
  { model, stream }: ResponseContext,
  reader: ResponseReader,
): UpstreamResponse {
  if (response.status < 200 || response.status > 299) {
    // Without its own reader, the common error handling reads the response.
    return reader.readError ? wrapResponse(response, 'application/json', () => throwError(response, reader)) : response
  }
  const writer = createChatWriter(model)
  const isStream = /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '')
  if (isStream && stream) return wrapResponse(response, 'text/event-stream', streamFrames(response, reader, writer))
  const readOnce = once(() => (isStream ? collectChunks(response, reader) : readWholeBody(response, reader)))
  return wrapResponse(response, 'application/json', async () => {
    const chunks = await readOnce()
    return chunks && Buffer.from(writer.body(chunks))
  })
}

function wrapResponse(response: UpstreamResponse, type: string, next: UpstreamResponse['read']): UpstreamResponse {
  return {
    status: response.status,
    headers: { 'content-type': type },
    get bufferedBytes() {
      return response.bufferedBytes
    },
    async read() {
      try {
        return await next()
      } catch (error) {
        response.abort()
        if (error instanceof UpstreamFailure) throw error
        throw error instanceof FrameTooLarge ? FAILURES.tooLarge(error) : FAILURES.unreadable(error)
      }
    },
    limitSilence: (milliseconds) => response.limitSilence(milliseconds),
    finish: () => response.finish(),
    abort: () => response.abort(),
  }
}

function streamFrames(
  response: UpstreamResponse,
  reader: ResponseReader,
  writer: ChatWriter,
): UpstreamResponse['read'] {
  const nextEvents = createEventReader(response)
  /** The failure of an event that arrived together with valid ones: those are returned first. */
  let failure: unknown
  return async () => {
    if (failure !== undefined) throw failure
    for (let batch = await nextEvents(); batch; batch = await nextEvents()) {
      let text = ''
      try {
        for (const data of batch) text += writer.frames(reader.readEvent(data) ?? {})
      } catch (error) {
        if (text === '') throw error
        failure = error
      }
      if (text !== '') return Buffer.from(text)
    }
    return undefined
  }
}

/** Collects a whole stream, for a client that did not request one when the provider can only stream. */
async function collectChunks(response: UpstreamResponse, reader: ResponseReader): Promise<ResponseChunk[]> {
  const nextEvents = createEventReader(response)
  const chunks: ResponseChunk[] = []
  for (let batch = await nextEvents(); batch; batch = await nextEvents()) {
    for (const data of batch) chunks.push(reader.readEvent(data) ?? {})
    if (chunks.at(-1)?.isLast) {
      response.finish()
      return chunks
    }
  }
  throw FAILURES.interrupted()
}

async function readWholeBody(response: UpstreamResponse, reader: ResponseReader): Promise<ResponseChunk[]> {
  const body = parseJsonObject(await readJsonText(response))
  if (!body) throw FAILURES.unreadable()
  return [reader.readBody(body)]
}

async function throwError(response: UpstreamResponse, reader: ResponseReader): Promise<never> {
  const { status, headers } = response
  const text = (await readBody(response, ERROR_CAP_BYTES)).toString('utf8')
  const generic = failureFromResponse(status, text, headers)
  const specific = reader.readError?.(status, parseError(text) ?? {})
  if (!specific) throw generic
  throw new UpstreamFailure({
    kind: 'status',
    status: specific.status,
    error: specific.error,
    retryAfterSeconds: generic.retryAfterSeconds,
  })
}

/** Returns the objects of the next events, or undefined at the end of the stream. */
function createEventReader(response: UpstreamResponse): () => Promise<JsonObject[] | undefined> {
  const reader = createFrameReader({
    decode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
  })
  let ended = false
  return async () => {
    if (ended) return undefined
    const chunk = await response.read()
    ended = chunk === undefined
    const rest = ended ? reader.flush() : undefined
    return parseFrames(chunk ? reader.push(chunk) : rest ? [rest] : [])
  }
}

function parseFrames(frames: readonly StreamFrame[]): JsonObject[] {
  return frames.map(({ event }) => parseJsonObject(event?.data ?? '')).filter((tree) => tree !== undefined)
}

/** Returns the value on the first call and undefined afterwards. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value | undefined> {
  let isCalled = false
  return () => {
    if (isCalled) return Promise.resolve(undefined)
    isCalled = true
    return make()
  }
}
