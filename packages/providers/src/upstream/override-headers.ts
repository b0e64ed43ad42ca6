import { clientHeaderIn } from '@tidegate/contract'

/** Headers of every request that this server sends to a provider. Responses are forwarded, so they are not compressed. */
export const BASE_HEADERS = { 'accept-encoding': 'identity', 'user-agent': 'tidegate' } as const

interface Sources {
  readonly key: string
  /** Headers of the client; absent for requests without a client. */
  readonly client?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined
}

/**
 * Applies the channel's header overrides: `{api_key}` is the channel key, `{client_header:NAME}` a header of the
 * client.
 */
export function overrideHeaders(
  headers: Readonly<Record<string, string>>,
  overrides: ReadonlyMap<string, string> | undefined,
  { key, client = {} }: Sources,
): Record<string, string> {
  if (!overrides || overrides.size === 0) return { ...headers }
  const changed = new Map<string, string>()
  for (const [name, value] of overrides) {
    const copied = clientHeaderIn(value)
    const text = copied === undefined ? value.replaceAll('{api_key}', () => key) : client[copied]
    if (typeof text === 'string' && text.trim() !== '') changed.set(name.trim().toLowerCase(), text.trim())
  }
  const unchanged = Object.entries(headers).filter(([name]) => !changed.has(name.toLowerCase()))
  return Object.fromEntries([...unchanged, ...changed])
}
