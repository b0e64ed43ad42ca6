import { crc32 } from 'node:zlib'

/** A response of a fake provider, before it is encoded in a wire format. */
export interface FakeResponse {
  readonly model: string
  /** The text, in the chunks of a stream. */
  readonly pieces: readonly string[]
  /** Missing when the provider reports no usage. */
  readonly counts?: { readonly input: number; readonly output: number }
}

export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** One provider's wire format: whole and streamed responses, and an error inside either. */
export interface WireFormat {
  whole(output: FakeResponse): Reply
  /** `request` is the body of the request: some providers report usage only on request. */
  stream(output: FakeResponse, request: Body): Reply
  /** A server error that begins as a success. */
  withError(stream: boolean): Reply
}

export type Body = Readonly<Record<string, unknown>>

export const textOf = ({ pieces }: FakeResponse) => pieces.join('')

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

/** Server-sent events: objects are written as JSON, and under their own `type` where `named`. */
export function events(list: readonly (object | string)[], { named = false } = {}): Reply {
  const frames = list.map((event) => {
    if (typeof event === 'string') return `data: ${event}\n\n`
    const name = named ? `event: ${String((event as { type?: unknown }).type)}\n` : ''
    return `${name}data: ${JSON.stringify(event)}\n\n`
  })
  return { headers: { 'content-type': 'text/event-stream' }, body: frames.join('') }
}

/** Events in Amazon's frames: lengths, their checksum, headers, the body, and a checksum of everything. */
export function amazonEvents(list: readonly { event: object; exception?: string }[]): Reply {
  const frames = list.map(({ event, exception }) => {
    const packed = exception ? event : { bytes: Buffer.from(JSON.stringify(event)).toString('base64') }
    const body = Buffer.from(JSON.stringify(packed))
    const headers = exception
      ? Buffer.concat([amazonHeader(':message-type', 'exception'), amazonHeader(':exception-type', exception)])
      : amazonHeader(':message-type', 'event')
    const frame = Buffer.alloc(12 + headers.length + body.length + 4)
    frame.writeUInt32BE(frame.length, 0)
    frame.writeUInt32BE(headers.length, 4)
    frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
    headers.copy(frame, 12)
    body.copy(frame, 12 + headers.length)
    frame.writeUInt32BE(crc32(frame.subarray(0, -4)), frame.length - 4)
    return frame
  })
  return { headers: { 'content-type': 'application/vnd.amazon.eventstream' }, body: Buffer.concat(frames) }
}

function amazonHeader(name: string, value: string): Buffer {
  const size = Buffer.alloc(2)
  size.writeUInt16BE(value.length)
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), size, Buffer.from(value)])
}
