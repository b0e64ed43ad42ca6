import type { IncomingMessage, ServerResponse } from 'node:http'

/** Any page may call with a key of its own; cookies never count here, so no credentials are allowed. */
export function allowAnyOrigin(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-expose-headers', '*')
  if (request.method !== 'OPTIONS') return
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, DELETE, OPTIONS')
  // A wildcard would not cover Authorization, so what is asked for is named.
  response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
  response.setHeader('access-control-max-age', '86400')
  response.writeHead(204).end()
}
