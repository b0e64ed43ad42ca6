import type { LocalizedText } from '@tidegate/contract'
import {
  readJsonText,
  targetOf,
  UpstreamFailure,
  upstreamRequest,
  type ChannelRequest,
  type UpstreamClient,
} from '@tidegate/providers'
import type { ProviderAccount } from '../destination.ts'

/** A failed provider query. The reason contains no key or address. */
export class UpstreamQueryError extends Error {
  override readonly name = 'UpstreamQueryError'
  readonly reason: LocalizedText

  constructor(reason: LocalizedText) {
    super(reason.en)
    this.reason = reason
  }
}

interface UpstreamQuery extends Pick<ChannelRequest, 'url' | 'authorization'> {
  signal?: AbortSignal
}

const DEADLINES = { firstByteMs: 20_000, idleMs: 10_000 }
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024

/** Requests a JSON document from a provider. */
export async function queryUpstream(
  upstream: UpstreamClient,
  { channel, key }: ProviderAccount,
  { url, authorization, signal }: UpstreamQuery,
): Promise<unknown> {
  const target = targetOf(channel, { key, model: '' })
  const headers = { accept: 'application/json' }
  const request = await upstreamRequest({}, channel, { target, url, method: 'GET', headers, authorization })
  let text: string
  try {
    const response = await upstream.open({ ...request, signal, deadlines: DEADLINES })
    if (response.status < 200 || response.status > 299) {
      response.abort()
      throw new UpstreamQueryError(REASONS.status(response.status))
    }
    text = await readJsonText(response, MAX_RESPONSE_BYTES)
  } catch (error) {
    throw error instanceof UpstreamFailure ? new UpstreamQueryError(reasonOf(error)) : error
  }
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new UpstreamQueryError(REASONS.unreadable)
  }
}

/** Runs a provider's parser; parsers throw on unusable responses. */
export function parseResponse<Result>(read: () => Result): Result {
  try {
    return read()
  } catch {
    throw new UpstreamQueryError(REASONS.unreadable)
  }
}

const REASONS = {
  status: (status: number): LocalizedText => ({
    zh: `上游返回 HTTP ${status}`,
    en: `the upstream returned HTTP ${status}`,
  }),
  privateAddress: {
    zh: '上游地址位于私有网络，未被允许；如需允许，请以 TIDEGATE_ALLOW_PRIVATE_UPSTREAMS=true 启动服务',
    en: 'its address is in a private network; start the server with TIDEGATE_ALLOW_PRIVATE_UPSTREAMS=true to allow that',
  },
  egress: {
    zh: '上游地址不在 TIDEGATE_EGRESS_ALLOW 的允许列表中',
    en: 'its address is not in TIDEGATE_EGRESS_ALLOW',
  },
  timeout: { zh: '上游响应超时', en: 'the upstream did not respond in time' },
  connection: { zh: '无法连接上游', en: 'there was no connection to the upstream' },
  unreadable: { zh: '无法理解上游的响应', en: 'the response of the upstream could not be parsed' },
}

function reasonOf({ kind, error }: UpstreamFailure): LocalizedText {
  if (error.code === 'upstream_private_address') return REASONS.privateAddress
  if (error.code === 'upstream_egress_not_allowed') return REASONS.egress
  if (error.code === 'upstream_timeout') return REASONS.timeout
  return kind === 'answer' ? REASONS.unreadable : REASONS.connection
}
