import type { IncomingMessage } from 'node:http'

/** Any page may call with a key of its own; cookies never count here, so no credentials are allowed. */
export const ANY_ORIGIN = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' }

/** A browser asks before it calls. */
export function isPreflight({ method }: Pick<IncomingMessage, 'method'>): boolean {
  return method === 'OPTIONS'
}

export function preflightHeaders({ headers }: Pick<IncomingMessage, 'headers'>): Record<string, string> {
  return {
    'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
    // A wildcard would not cover Authorization, so what is asked for is named.
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': '86400',
  }
}
