import { request } from 'node:http'
import type { FakeUpstream } from '../src/fake-upstream/fake-upstream.ts'

/** What an HTTP client received. */
interface ClientResponse {
  status: number
  headers: Record<string, unknown>
  text: string
  /** False if the connection closed before the end of the response. */
  complete: boolean
  reads: number
  headersAfterMs: number
  firstByteAfterMs: number
  lastByteAfterMs: number
}

/** Sends a chat request with node:http and returns all data, also of an incomplete response. */
export function chat(
  upstream: FakeUpstream,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<ClientResponse> {
  const startedAt = performance.now()
  const since = () => performance.now() - startedAt
  return new Promise((resolve, reject) => {
    const call = request(`${upstream.url}/v1/chat/completions`, { method: 'POST', headers }, (response) => {
      const headersAfterMs = since()
      const times: number[] = []
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => {
        times.push(since())
        parts.push(part)
      })
      response.on('error', () => {}) // closed early; see `complete`
      response.on('close', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
          complete: response.complete,
          reads: parts.length,
          headersAfterMs,
          firstByteAfterMs: times[0] ?? Infinity,
          lastByteAfterMs: times.at(-1) ?? Infinity,
        }),
      )
    })
    call.on('error', reject)
    call.end(JSON.stringify(body))
  })
}

/** The `data` fields of a stream in its plain framing. */
export function dataOf(text: string): string[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map((match) => match[1]!)
}

/** A response of any protocol. */
interface ParsedResponse {
  status: number
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of every format
  json: any
  /** The events of a stream, with their data parsed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of every format
  events: { name: string | undefined; data: any }[]
}

export async function post(
  upstream: FakeUpstream,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<ParsedResponse> {
  const response = await fetch(upstream.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  return {
    status: response.status,
    text,
    json: isStream ? undefined : JSON.parse(text),
    events: isStream ? eventsIn(text) : [],
  }
}

function eventsIn(text: string): ParsedResponse['events'] {
  const frames = text.split('\n\n').filter((frame) => frame !== '')
  return frames.map((frame) => {
    const data = /^data: (.*)$/m.exec(frame)?.[1] ?? ''
    return { name: /^event: (.*)$/m.exec(frame)?.[1], data: data.startsWith('{') ? JSON.parse(data) : data }
  })
}
