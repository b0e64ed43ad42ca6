import { api } from '@tidegate/contract'
import type { ReceivedRequest } from '@tidegate/testing'
import { until } from '../../scenarios/until.ts'
import { pick, type Protocol, type ProtocolName, PROTOCOLS } from '../routing/protocols.ts'
import type { EffectSite } from './site.ts'

export interface Question {
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

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly raw: string
  readonly message: unknown
  readonly requestId: string
}

/** Makes one call on the other node, as a plain HTTP client would. */
export async function ask(site: EffectSite, question: Question): Promise<Answer> {
  const { model, stream = false, text = 'When does the tide turn?', key = site.member.keys.default } = question
  const { ingress = 'chat' } = question
  const protocol = INGRESSES[ingress]
  const credential = ingress === 'playground' ? site.member.session : protocol.credential(key)
  const response = await fetch(site.url + protocol.path(model, stream), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential, ...question.headers },
    body: JSON.stringify({ ...protocol.body({ model, stream, text }), ...question.body }),
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

export const statusOf = async (site: EffectSite, question: Question) => (await ask(site, question)).status

/** What the upstream was asked on behalf of one call, in order. */
export async function sentFor(site: EffectSite, question: Question): Promise<readonly ReceivedRequest[]> {
  const before = site.upstream.requests.length
  await ask(site, question)
  return site.upstream.requests.slice(before)
}

const BOOKED_MS = 5_000

/** The row of a call once it is booked; undefined when none came in the time. */
export async function rowOf(
  { root }: EffectSite,
  requestId: string,
  { type = api.LOG_TYPE.consumption, withinMs = BOOKED_MS }: { type?: number; withinMs?: number } = {},
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
export async function billFor(site: EffectSite, question: Question): Promise<number | undefined> {
  const { status, requestId } = await ask(site, question)
  return status === 200 ? (await rowOf(site, requestId))?.quota : undefined
}

type IngressName = ProtocolName | 'completions' | 'playground'

/** Every way a conversation comes in. */
const INGRESSES: Readonly<Record<IngressName, Protocol>> = {
  ...PROTOCOLS,
  completions: {
    ...PROTOCOLS.chat,
    path: () => '/v1/completions',
    body: ({ text: prompt, ...asked }) => ({ ...asked, prompt }),
  },
  playground: { ...PROTOCOLS.chat, path: () => '/pg/chat/completions' },
}

export const INGRESS_NAMES = Object.keys(INGRESSES) as IngressName[]
