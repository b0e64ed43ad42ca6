import { createHash, timingSafeEqual } from 'node:crypto'

/** The signature of the epay protocol: sorted parameters without the empty ones, then the key. */
export function signParameters(parameters: Readonly<Record<string, string>>, key: string): string {
  const text = Object.entries(parameters)
    .filter(([name, value]) => value !== '' && name !== 'sign' && name !== 'sign_type')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return createHash('md5')
    .update(text + key)
    .digest('hex')
}

export function isSignedWith(parameters: Readonly<Record<string, string>>, key: string): boolean {
  const given = Buffer.from((parameters['sign'] ?? '').toLowerCase())
  const right = Buffer.from(signParameters(parameters, key))
  return given.length === right.length && timingSafeEqual(given, right)
}
