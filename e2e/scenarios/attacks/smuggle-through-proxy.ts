import { startNginx } from '../streams/nginx.ts'
import { until } from '../until.ts'
import { sendRequest } from './support/send-request.ts'
import type { AttackSite } from './support/attack-site.ts'
import { Findings } from './support/findings.ts'
import { exchange } from './support/raw-exchange.ts'
import { doubtfulRequests } from './raw-requests.ts'

const PROXY_LINES = ['proxy_http_version 1.1', 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for']
const LOGGED_MS = 2_000

/**
 * Sends the same requests through a proxy, which rewrites some. If the server sees a request that the proxy did not,
 * the server logs more requests than the proxy has responses.
 */
export async function smuggleThroughProxy(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const nginx = await startNginx(site.url, PROXY_LINES)
  const key = `Authorization: Bearer ${site.user.apiKey}`
  const port = Number(new URL(nginx.url).port)
  let number = 0
  try {
    for (const path of ['/v1/chat/completions', '/api/user/login']) {
      for (const name of Object.keys(doubtfulRequests(path, key, ''))) {
        number += 1
        const hidden = `/api/status/hidden-${number}`
        const { statuses } = await exchange(port, doubtfulRequests(path, key, hidden)[name]!)
        // A request of another client follows through the same proxy. Its log line comes after all others.
        const last = `/api/status/visible-${number}`
        const victim = await sendRequest(nginx.url, { path: last })
        findings.check(victim.status === 404, () => `${name} at ${path}: the next caller got ${victim.status}`)
        findings.check(await until(() => isLogged(site, last), LOGGED_MS), () => `${last} was not logged`)
        const readAsTwo = isLogged(site, hidden) && statuses.length < 2
        findings.check(!readAsTwo, () => `${name} at ${path} was one request for the proxy and two for the server`)
      }
    }
  } finally {
    await nginx.stop()
  }
  return findings
}

function isLogged({ server }: AttackSite, path: string): boolean {
  return server.logs.some((line) => line.event === 'http.request' && line.path === path)
}
