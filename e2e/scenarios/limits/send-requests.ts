import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { RunningServer } from '@tidegate/testing'
import { MODEL } from '../site.ts'

export interface RequestOptions {
  readonly url: string
  readonly key: string
  readonly content?: string
  readonly stream?: boolean
  /** Aborts the request. */
  readonly signal?: AbortSignal
  readonly agent?: Agent
}

export interface ChatResponse {
  /** 0 if there was no response. */
  readonly status: number
  /** The error code, also for connection errors. */
  readonly code: string
  readonly headers: IncomingHttpHeaders
  /** The gateway that got the request. */
  readonly url: string
}

/** Sends one request and waits for the whole response. Never throws. */
export async function sendRequest(request: RequestOptions): Promise<ChatResponse> {
  try {
    const response = await openRequest(request)
    let text = ''
    for await (const part of response.setEncoding('utf8')) text += part as string
    return responseOf(response, text, request.url)
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    return { status: 0, code, headers: {}, url: request.url }
  }
}

/** Resolves when the response headers arrive. */
export function openRequest(call: RequestOptions): Promise<IncomingMessage> {
  const { url, key, content = 'hi', stream = false, signal, agent } = call
  const body = JSON.stringify({ model: MODEL, stream, messages: [{ role: 'user', content }] })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    request(`${url}/v1/chat/completions`, { method: 'POST', headers, agent: agent ?? false, signal })
      .once('response', resolve)
      .on('error', reject)
      .end(body)
  })
}

export interface RequestBatch {
  readonly nodes: readonly RunningServer[]
  readonly key: string
  readonly requests: number
  /** The number of concurrent requests. */
  readonly concurrency: number
  readonly content?: string
  /** Called with each response and the number of responses so far. */
  readonly received?: (response: ChatResponse, count: number) => void
}

/** Sends requests to all gateways in turn, streamed and whole. */
export async function sendRequests({
  nodes,
  key,
  requests,
  concurrency,
  content,
  received,
}: RequestBatch): Promise<ChatResponse[]> {
  const responses: ChatResponse[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  let next = 0
  const caller = async () => {
    while (next < requests) {
      const request = next++
      const url = nodes[request % nodes.length]!.url
      const response = await sendRequest({
        url,
        key,
        agent,
        stream: request % 4 < 2,
        ...(content !== undefined && { content }),
      })
      responses.push(response)
      received?.(response, responses.length)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, caller))
  agent.destroy() // the next requests come much later, when the server may be about to close idle connections
  return responses
}

export function countBy(responses: readonly ChatResponse[], status: number, code = ''): number {
  return responses.filter((response) => response.status === status && response.code === code).length
}

/** Counts of all responses that are not expected, for the list of failures. */
export function unexpectedResponses(responses: readonly ChatResponse[], expected: readonly string[]): string[] {
  const kinds = new Map<string, number>()
  for (const { status, code } of responses) {
    const kind = code === '' ? String(status) : `${status} ${code}`
    if (!expected.includes(kind)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  return [...kinds].map(([kind, count]) => `${count} responses were ${kind}`)
}

function responseOf({ statusCode = 0, headers }: IncomingMessage, text: string, url: string): ChatResponse {
  if (statusCode === 200) return { status: 200, code: '', headers, url }
  const { error } = JSON.parse(text) as { error: { code: string } }
  const code = headers['x-tidegate-error'] ?? error.code
  return { status: statusCode, code: String(code), headers, url }
}
