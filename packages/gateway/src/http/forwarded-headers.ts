import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

/** Some responses go to pages of the console's own origin, so nothing passes that a browser or a cache acts on. */
const FORWARDED = new Set(['content-type', 'content-language', 'content-disposition', 'retry-after'])
/** How long the provider took and which version of its API answered. */
const PROVIDER_INFO = /^(?!x-)[a-z0-9-]+-(?:processing-ms|version)$/
/** The gateway sends request ids of its own under the usual names. */
const REQUEST_ID = /^(?:x-)?((?:[a-z0-9-]+-)?request-?id)$/

/** The response headers of a provider that the client gets. */
export function forwardedHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const forwarded: OutgoingHttpHeaders = {}
  for (const name in headers) {
    const forwardedName = forwardedNameOf(name)
    if (forwardedName !== undefined) forwarded[forwardedName] = headers[name]
  }
  return forwarded
}

function forwardedNameOf(name: string): string | undefined {
  if (FORWARDED.has(name) || PROVIDER_INFO.test(name)) return name
  const requestId = REQUEST_ID.exec(name)?.[1]
  return requestId === undefined ? undefined : `x-upstream-${requestId}`
}
