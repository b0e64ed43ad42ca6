import { type Json, pick, type ProtocolName, PROTOCOLS, text } from './protocols.ts'

export interface ChatOptions {
  readonly model: string
  readonly protocol?: ProtocolName
  readonly stream?: boolean
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** More fields of the body. */
  readonly body?: Readonly<Record<string, unknown>>
}

/** The parts of a response that these tests use, for any protocol. */
export interface ChatResponse {
  readonly status: number
  /** The text of the model. */
  readonly text: string
  /** The error code, if the protocol has one. */
  readonly code: unknown
  readonly message: string
  /** An error arrived after the stream had started. */
  readonly brokeOff: boolean
  readonly retryAfterSeconds: number | undefined
  readonly requestId: string
}

/** Sends one request as a plain HTTP client. */
export async function sendChat(
  { url, key }: { url: string; key: string },
  options: ChatOptions,
): Promise<ChatResponse> {
  const { model, protocol: name = 'chat', stream = false, text: result = 'When does the tide turn?' } = options
  const protocol = PROTOCOLS[name]
  const response = await fetch(url + protocol.path(model, stream), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...protocol.credential(key), ...options.headers },
    body: JSON.stringify({ ...protocol.body({ model, stream, text: result }), ...options.body }),
  })
  const raw = await response.text()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const pieces = isStream ? eventsIn(raw) : [parse(raw)]
  const error = pieces.map(protocol.errorIn).find((found) => found !== undefined)
  const retryAfter = response.headers.get('retry-after')
  return {
    status: response.status,
    text: pieces.map(isStream ? protocol.deltaIn : protocol.textIn).join(''),
    code: response.headers.get('x-tidegate-error') ?? pick(error, 'code'),
    message: text(pick(error, 'message')),
    brokeOff: isStream && error !== undefined,
    retryAfterSeconds: retryAfter === null ? undefined : Number(retryAfter),
    requestId: response.headers.get('x-request-id') ?? '',
  }
}

const CONCURRENCY = 20

/** Sends the same request many times, a few at a time. */
export async function sendMany(
  caller: { url: string; key: string },
  count: number,
  options: ChatOptions,
): Promise<ChatResponse[]> {
  const responses: ChatResponse[] = []
  let left = count
  const work = async () => {
    while (left-- > 0) responses.push(await sendChat(caller, options))
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return responses
}

function eventsIn(raw: string): Json[] {
  return raw
    .split('\n')
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line) => parse(line.slice('data:'.length)))
}

function parse(text: string): Json {
  return JSON.parse(text) as Json
}
