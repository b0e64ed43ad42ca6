import { api } from '@tidegate/contract'
import type { ReceivedRequest } from '@tidegate/testing'
import { until } from '../../scenarios/until.ts'
import { pick, type Protocol, type ProtocolName, PROTOCOLS } from '../routing/protocols.ts'
import type { EffectSite } from './site.ts'

export interface ChatOptions {
  readonly model: string
  /** Chat unless it is said. */
  readonly ingress?: IngressName
  readonly stream?: boolean
  readonly text?: string
  /** The member's for the default group unless it is said. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  /** More members of the body. */
  readonly body?: Readonly<Record<string, unknown>>
}

interface ChatResponse {
  readonly status: number
  readonly headers: Headers
  readonly raw: string
  readonly message: unknown
  readonly requestId: string
}

/** Makes one call on the other node, as a plain HTTP client would. */
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

/** What the upstream was asked on behalf of one call, in order. */
export async function sentFor(site: EffectSite, options: ChatOptions): Promise<readonly ReceivedRequest[]> {
  const before = site.upstream.requests.length
  await sendChat(site, options)
  return site.upstream.requests.slice(before)
}

const SETTLED_MS = 5_000

/** The row of a call once it is booked; undefined when none came in the time. */
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

/** What a call cost; undefined when it was refused. */
export async function billFor(site: EffectSite, options: ChatOptions): Promise<number | undefined> {
  const { status, requestId } = await sendChat(site, options)
  return status === 200 ? (await rowOf(site, requestId))?.quota : undefined
}

type IngressName = ProtocolName | 'completions' | 'playground'

/** Every way a conversation comes in. */
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
