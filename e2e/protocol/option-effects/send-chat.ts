import { api } from '@tidegate/contract'
import type { ReceivedRequest } from '@tidegate/testing'
import { until } from '../../scenarios/until.ts'
import { pick, type Protocol, type ProtocolName, PROTOCOLS } from '../routing/protocols.ts'
import type { EffectSite } from './effect-site.ts'

export interface ChatOptions {
  readonly model: string
  /** Default: chat. */
  readonly ingress?: IngressName
  readonly stream?: boolean
  readonly text?: string
  /** Default: the member's key of the default group. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  /** More fields of the body. */
  readonly body?: Readonly<Record<string, unknown>>
}

interface ChatResponse {
  readonly status: number
  readonly headers: Headers
  readonly raw: string
  readonly message: unknown
  readonly requestId: string
}

/** Sends one request to the other node, as a plain HTTP client. */
export async function sendChat(site: EffectSite, options: ChatOptions): Promise<ChatResponse> {
  const { model, stream = false, text = 'When does the tide turn?', key = site.member.keys.default } = options
  const { ingress = 'chat' } = options
  const protocol = INGRESSES[ingress]
  const credential = ingress === 'playground' ? site.member.session : protocol.credential(key)
  const response = await fetch(site.url + protocol.path(model, stream), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential, ...options.headers },
    body: JSON.stringify({ ...protocol.body({ model, stream, text }), ...options.body }),
  })
  const raw = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    raw,
    message: response.ok ? undefined : pick(JSON.parse(raw), 'error', 'message'),
    requestId: response.headers.get('x-request-id') ?? '',
  }
}

export const statusOf = async (site: EffectSite, options: ChatOptions) => (await sendChat(site, options)).status

/** The upstream requests of one API request, in order. */
export async function sentFor(site: EffectSite, options: ChatOptions): Promise<readonly ReceivedRequest[]> {
  const before = site.upstream.requests.length
  await sendChat(site, options)
  return site.upstream.requests.slice(before)
}

const SETTLED_MS = 5_000

/** The log row of a request once it is settled; undefined if there is none in time. */
export async function rowOf(
  { root }: EffectSite,
  requestId: string,
  { type = api.LOG_TYPE.consumption, withinMs = SETTLED_MS }: { type?: number; withinMs?: number } = {},
): Promise<api.UsageLog | undefined> {
  let row: api.UsageLog | undefined
  await until(async () => {
    const query = { p: 1, page_size: 1, request_id: requestId, type }
    row = (await root.call(api.listLogs, { query })).items[0]
    return row !== undefined
  }, withinMs)
  return row
}

/** The cost of a request; undefined if it was rejected. */
export async function billFor(site: EffectSite, options: ChatOptions): Promise<number | undefined> {
  const { status, requestId } = await sendChat(site, options)
  return status === 200 ? (await rowOf(site, requestId))?.quota : undefined
}

type IngressName = ProtocolName | 'completions' | 'playground'

/** Every endpoint for chat. */
const INGRESSES: Readonly<Record<IngressName, Protocol>> = {
  ...PROTOCOLS,
  completions: {
    ...PROTOCOLS.chat,
    path: () => '/v1/completions',
    body: ({ text: prompt, ...request }) => ({ ...request, prompt }),
  },
  playground: { ...PROTOCOLS.chat, path: () => '/pg/chat/completions' },
}

export const INGRESS_NAMES = Object.keys(INGRESSES) as IngressName[]
