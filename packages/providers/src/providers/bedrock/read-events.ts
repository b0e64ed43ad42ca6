import { EventStreamCodec } from '@smithy/eventstream-codec'
import { checkJsonLimits } from '@tidegate/contract'
import { asText, type JsonObject } from '@tidegate/dialects'
import type { UpstreamResponse } from '../../upstream/types.ts'
import { FAILURES } from '../../upstream/failure.ts'

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
  (text) => Buffer.from(text, 'utf8'),
)

/** Larger than any event of a model response. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

/** Converts Amazon's binary event stream to server-sent events. */
export function unpackEvents(response: UpstreamResponse): UpstreamResponse {
  if (!/^application\/vnd\.amazon\.eventstream/i.test(response.headers['content-type'] ?? '')) return response
  let buffered = Buffer.alloc(0)

  async function read(): Promise<Uint8Array | undefined> {
    for (;;) {
      const text = takeMessages()
      if (text !== '') return Buffer.from(text)
      const chunk = await response.read()
      if (chunk === undefined) {
        if (buffered.length > 0) throw FAILURES.unreadable(new Error('the stream ends within a message'))
        return undefined
      }
      buffered = Buffer.concat([buffered, chunk])
    }
  }

  /** Returns all complete messages as text. A corrupted message is reported after those before it. */
  function takeMessages(): string {
    let text = ''
    try {
      for (let next = takeMessage(); next !== undefined; next = takeMessage()) text += next
    } catch (error) {
      if (text === '') throw error
    }
    return text
  }

  function takeMessage(): string | undefined {
    if (buffered.length < 4) return undefined
    const size = buffered.readUInt32BE(0)
    if (size > MAX_MESSAGE_BYTES || size < 16) {
      response.abort()
      throw FAILURES.unreadable(new Error(`a message of ${size} bytes`))
    }
    if (buffered.length < size) return undefined
    const text = decodeMessage(buffered.subarray(0, size))
    buffered = buffered.subarray(size)
    return text
  }

  return {
    get status() {
      return response.status
    },
    headers: { ...response.headers, 'content-type': 'text/event-stream' },
    get bufferedBytes() {
      return response.bufferedBytes + buffered.length
    },
    read,
    limitSilence: (milliseconds) => response.limitSilence(milliseconds),
    finish: () => response.finish(),
    abort: () => response.abort(),
  }
}

/** A message with a wrong checksum, or without JSON, ends the stream. */
function decodeMessage(message: Uint8Array): string {
  try {
    return eventText(message)
  } catch (error) {
    throw FAILURES.unreadable(error)
  }
}

function eventText(message: Uint8Array): string {
  const { headers, body } = codec.decode(message)
  const payload = parseBytes(Buffer.from(body)) as { bytes?: string; message?: string }
  if (headers[':message-type']?.value === 'exception' || payload.bytes === undefined) {
    const type = String(headers[':exception-type']?.value ?? 'error')
    return sseFrame('error', JSON.stringify({ type: 'error', error: { type, message: payload.message ?? type } }))
  }
  const event = Buffer.from(payload.bytes, 'base64')
  return sseFrame(asText((parseBytes(event) as JsonObject).type) || 'message', event.toString('utf8'))
}

function parseBytes(json: Buffer): unknown {
  const excess = checkJsonLimits(json)
  if (excess) throw new SyntaxError(`the message is ${excess.replaceAll('_', ' ')}`)
  return JSON.parse(json.toString('utf8'))
}

function sseFrame(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`
}
