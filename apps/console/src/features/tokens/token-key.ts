import { TOKEN_PREFIX, type ApiToken } from '@tidegate/contract/api'

/** The key with its prefix, as clients send it. */
export const keyOf = ({ key }: Pick<ApiToken, 'key'>): string => TOKEN_PREFIX + key

export function maskedKeyOf(token: Pick<ApiToken, 'key'>): string {
  const key = keyOf(token)
  return `${key.slice(0, 7)}••••${key.slice(-4)}`
}

/** Name and key, one token per line. */
export const linesOf = (tokens: readonly Pick<ApiToken, 'name' | 'key'>[]): string =>
  tokens.map((token) => `${token.name}    ${keyOf(token)}`).join('\n')
