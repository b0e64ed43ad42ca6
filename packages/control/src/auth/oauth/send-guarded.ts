import { readBody, type UpstreamClient } from '@tidegate/providers'
import { LONGEST_ANSWER, type Send } from './provider-client.ts'

/** GETs by the guarded client, which looks where a name leads when it dials, and lets nobody inside. */
export function sendGuarded(client: UpstreamClient): Send {
  return async ({ href }, { headers, signal }) => {
    const sent = { ...Object.fromEntries(new Headers(headers)), 'accept-encoding': 'identity' }
    const response = await client.open({ url: href, method: 'GET', headers: sent, signal, single: true })
    const body = await readBody(response, LONGEST_ANSWER)
    return new Response(body.length === 0 ? null : new Uint8Array(body), { status: response.status })
  }
}
