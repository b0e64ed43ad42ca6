import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * A name for whoever calls, for vendors that ask for one: the same for every call with a key, wherever a client's
 * protocol has the key, and no way back to it.
 */
export function callerName({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): string {
  const given =
    headers.authorization ??
    headers['x-api-key'] ??
    headers['x-goog-api-key'] ??
    URL.parse(url, 'http://gateway')?.searchParams.get('key') ??
    ''
  const [key = ''] = String(given)
    .replace(/^bearer\s+/i, '')
    .replace(/^sk-/, '')
    .split('-') // what follows is the channel its owner wants
  // Calls of the console come without a key.
  return key === '' ? 'tidegate' : createHash('sha256').update(`caller ${key}`).digest('hex').slice(0, 32)
}
