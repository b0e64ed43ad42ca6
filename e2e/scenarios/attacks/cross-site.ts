import { changesState, type Endpoint } from '@tidegate/contract'
import { sessionOf } from './support/accounts.ts'
import type { AttackSite } from './support/attack-site.ts'
import { changedTables, digestTables } from './support/database-digest.ts'
import { brief, Findings } from './support/findings.ts'
import { pathOf, type Route, ROUTES, sampleOf } from './support/routes.ts'
import { sendRequest, type HttpRequest } from './support/send-request.ts'

const ELSEWHERE = { origin: 'https://evil.example', referer: 'https://evil.example/page' }
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']
/** One digest of all tables takes longer than the requests to many routes. */
const ROUTES_PER_DIGEST = 20
const REJECTED_WITHOUT_HEADER = new Set(['user_id_header_missing', 'cross_site_refused', 'unsupported_media_type'])

/**
 * Sends what a page of another site could make the browser of the super admin send, cookie included. Nothing may
 * change, and every endpoint that requires a login must reject.
 */
export async function sendCrossSiteRequests(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const { db } = site.database
  await site.root.refresh()
  let before = await digestTables(db)
  for (let first = 0; first < ROUTES.length; first += ROUTES_PER_DIGEST) {
    const routes = ROUTES.slice(first, first + ROUTES_PER_DIGEST)
    for (const route of routes) await forgeAll(route, site, findings)
    const after = await digestTables(db)
    const changed = changedTables(before, after)
    const names = () => routes.map(({ name }) => name).join(', ')
    findings.check(changed.length === 0, () => `one of ${names()} changed ${changed.join(', ')}`)
    before = after
  }
  await markedCrossSite(site, findings)
  await preflights(site, findings)
  return findings
}

async function forgeAll(route: Route, site: AttackSite, findings: Findings): Promise<void> {
  for (const request of forgeries(route, site)) {
    const response = await sendRequest(site.url, request)
    const why = () => `${route.name} ${JSON.stringify(request.headers)}: ${response.status} ${brief(response.text)}`
    if (requiresLogin(route.endpoint)) findings.check(REJECTED_WITHOUT_HEADER.has(response.code), why)
    findings.check(response.headers['access-control-allow-origin'] === undefined, why)
  }
}

/** Links, images and forms: they lack the header that only our own pages can set. */
function forgeries(route: Route, site: AttackSite): HttpRequest[] {
  const { endpoint } = route
  const query = new URLSearchParams({ id: String(site.user.id), action: 'disable', value: 'forged' }).toString()
  const headers = { cookie: site.root.cookie, ...ELSEWHERE }
  const path = pathOf(endpoint, { id: site.user.id })
  const link: HttpRequest = {
    method: 'GET',
    path: `${path}?${query}`,
    headers: { ...headers, 'sec-fetch-site': 'cross-site' },
  }
  if (endpoint.method === 'GET') return requiresLogin(endpoint) ? [link, { ...link, headers }] : [link]
  const forged = JSON.stringify(route.body === undefined ? {} : sampleOf(route.body, { id: site.user.id }))
  const forms = FORM_TYPES.map((type) => ({
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': type },
    body: forged,
  }))
  const asJson = { method: endpoint.method, path, headers, body: forged }
  // An endpoint open to all may be called from anywhere, with JSON that needs a preflight, if no session is used.
  return requiresLogin(endpoint) ? [...(endpoint.method === 'POST' ? forms : []), asJson] : forms
}

function requiresLogin({ access }: Endpoint): boolean {
  return access !== 'public' && access !== 'visitor'
}

/** The header alone is not enough when the browser marks the request as cross-site. */
async function markedCrossSite(site: AttackSite, findings: Findings): Promise<void> {
  for (const { name, endpoint } of ROUTES.filter(
    (route) => requiresLogin(route.endpoint) && changesState(route.endpoint),
  )) {
    const response = await sendRequest(site.url, {
      method: endpoint.method,
      path: pathOf(endpoint),
      headers: { ...sessionOf(site.root), ...ELSEWHERE, 'sec-fetch-site': 'cross-site' },
      body: endpoint.method === 'GET' ? undefined : {},
    })
    findings.check(response.code === 'cross_site_refused', () => `${name} marked cross-site: ${brief(response.text)}`)
  }
}

/** A browser sends a preflight before cross-site JSON or custom headers. The response must not allow it. */
async function preflights(site: AttackSite, findings: Findings): Promise<void> {
  for (const path of new Set(ROUTES.map(({ endpoint }) => pathOf(endpoint)))) {
    const headers = {
      ...ELSEWHERE,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,tidegate-user',
    }
    const { status, headers: responseHeaders } = await sendRequest(site.url, { method: 'OPTIONS', path, headers })
    const allows = Object.keys(responseHeaders).some((name) => name.startsWith('access-control-allow'))
    findings.check(!allows, () => `${path} lets pages of other sites in (${status})`)
  }
}

/** Calls every read endpoint as each role and expects the database to stay unchanged. */
export async function checkReadsHaveNoEffect(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const { db } = site.database
  const reads = ROUTES.filter(({ endpoint }) => !changesState(endpoint))
  for (const account of [site.user, site.admin, site.root]) {
    await account.refresh()
    const before = await digestTables(db)
    for (const { endpoint } of reads) {
      await sendRequest(site.url, { path: pathOf(endpoint, { id: 1 }), headers: sessionOf(account) })
    }
    const changed = changedTables(before, await digestTables(db))
    findings.check(changed.length === 0, () => `reading as ${account.role} changed ${changed.join(', ')}`)
    findings.tried += reads.length
  }
  return findings
}
