import {
  createFrameReader,
  FrameTooLarge,
  parseJsonObject,
  type StreamFrame,
  type JsonObject,
} from '@tidegate/dialects'
import type { UnpackContext } from '../provider.ts'
import type { UpstreamResponse } from '../upstream/types.ts'
import { failureFromAnswer, FAILURES, parseError, UpstreamFailure } from '../upstream/failure.ts'
import { readBody, readJsonText } from '../upstream/read-body.ts'
import type { Said } from './response-chunk.ts'
import { createChatWriter, type ChatWriter } from './write-chat-response.ts'

/** Understands one answer of a vendor. Either throws an UpstreamFailure where the vendor tells of one. */
export interface AnswerReader {
  /** Nothing for events that say nothing to a reader. */
  event(data: JsonObject): Said | undefined
  whole(body: JsonObject): Said
  /** The failure that a body tells of under a status, where its words say more than the status does. */
  refusal?(status: number, body: JsonObject): UpstreamFailure | undefined
}

const REFUSAL_CAP_BYTES = 1024 * 1024

/** An answer in a vendor's own words as OpenAI's chat would have it: streamed, or whole. */
export function translateAnswer(
  response: UpstreamResponse,
  { model, stream }: UnpackContext,
  reader: AnswerReader,
): UpstreamResponse {
  if (response.status < 200 || response.status > 299) {
    // Most are left to whoever reads those of every vendor.
    return reader.refusal ? answerOf(response, 'application/json', () => refused(response, reader)) : response
  }
  const writer = createChatWriter(model)
  const isStream = /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '')
  if (isStream && stream) return answerOf(response, 'text/event-stream', frames(response, reader, writer))
  const body = once(() => (isStream ? collected(response, reader) : wholeBody(response, reader)))
  return answerOf(response, 'application/json', async () => {
    const said = await body()
    return said && Buffer.from(writer.body(said))
  })
}

function answerOf(response: UpstreamResponse, type: string, next: UpstreamResponse['read']): UpstreamResponse {
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

function frames(response: UpstreamResponse, reader: AnswerReader, writer: ChatWriter): UpstreamResponse['read'] {
  const events = eventsOf(response)
  /** Of an event that came together with good ones: those are read first. */
  let failure: unknown
  return async () => {
    if (failure !== undefined) throw failure
    for (let heard = await events(); heard; heard = await events()) {
      let text = ''
      try {
        for (const data of heard) text += writer.frames(reader.event(data) ?? {})
      } catch (error) {
        if (text === '') throw error
        failure = error
      }
      if (text !== '') return Buffer.from(text)
    }
    return undefined
  }
}

/** Every event of a stream, for who did not want one from a vendor that has nothing else. */
async function collected(response: UpstreamResponse, reader: AnswerReader): Promise<Said[]> {
  const events = eventsOf(response)
  const said: Said[] = []
  for (let heard = await events(); heard; heard = await events()) {
    for (const data of heard) said.push(reader.event(data) ?? {})
    if (said.at(-1)?.isLast) {
      response.finish()
      return said
    }
  }
  throw FAILURES.interrupted()
}

async function wholeBody(response: UpstreamResponse, reader: AnswerReader): Promise<Said[]> {
  const body = parseJsonObject(await readJsonText(response))
  if (!body) throw FAILURES.unreadable()
  return [reader.whole(body)]
}

async function refused(response: UpstreamResponse, reader: AnswerReader): Promise<never> {
  const { status, headers } = response
  const text = (await readBody(response, REFUSAL_CAP_BYTES)).toString('utf8')
  const plain = failureFromAnswer(status, text, headers)
  const told = reader.refusal?.(status, parseError(text) ?? {})
  if (!told) throw plain
  throw new UpstreamFailure({
    kind: 'status',
    status: told.status,
    error: told.error,
    retryAfterSeconds: plain.retryAfterSeconds,
  })
}

/** The objects in the events that came next, nothing at the end of the stream. */
function eventsOf(response: UpstreamResponse): () => Promise<JsonObject[] | undefined> {
  const reader = createFrameReader({
    decode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
  })
  let ended = false
  return async () => {
    if (ended) return undefined
    const chunk = await response.read()
    ended = chunk === undefined
    const rest = ended ? reader.flush() : undefined
    return treesIn(chunk ? reader.push(chunk) : rest ? [rest] : [])
  }
}

function treesIn(found: readonly StreamFrame[]): JsonObject[] {
  return found.map(({ event }) => parseJsonObject(event?.data ?? '')).filter((tree) => tree !== undefined)
}

/** The value the first time, nothing after that. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value | undefined> {
  let isMade = false
  return () => {
    if (isMade) return Promise.resolve(undefined)
    isMade = true
    return make()
  }
}
