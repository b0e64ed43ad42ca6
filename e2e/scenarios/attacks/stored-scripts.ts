import { api } from '@tidegate/contract'
import { addToken } from '@tidegate/testing'
import { sendRequest } from './support/send-request.ts'
import type { AttackSite } from './support/attack-site.ts'
import { brief, Findings } from './support/findings.ts'
import { sessionOf } from './support/accounts.ts'

const SCRIPT = '<svg/onload=alert(1)>'
/** Texts that operators write for all users, and the endpoints that return them. */
const TEXTS = {
  Notice: api.getNotice.path,
  About: api.getAbout.path,
  HomePageContent: api.getHomePageContent.path,
  Footer: api.getStatus.path,
  SystemName: api.getStatus.path,
}
const PAGES = ['/', '/login', '/about', '/token', `/${encodeURIComponent(SCRIPT)}`, `/about?next=${SCRIPT}`]

/**
 * Stored texts are returned as data that no browser treats as a page. `e2e/browser/xss.test.ts` tests how the console
 * renders them.
 */
export async function storeScripts(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const { user, root } = site
  await user.client.call(api.updateSelf, { body: { display_name: SCRIPT.slice(0, 20) } })
  await addToken(user.client, { name: SCRIPT })
  for (const key of Object.keys(TEXTS)) await site.setOption(key, SCRIPT)

  const places = [
    ...Object.values(TEXTS).map((path) => ({ path, headers: {} })),
    { path: api.getSelf.path, headers: sessionOf(user) },
    { path: api.listTokens.path, headers: sessionOf(user) },
    { path: api.listUsers.path, headers: sessionOf(root) },
  ]
  for (const { path, headers } of places) {
    const response = await sendRequest(site.url, { path, headers: { ...headers, accept: 'text/html' } })
    findings.check(response.text.includes(SCRIPT.slice(0, 20)), () => `${path} does not hold what was stored`)
    const type = response.headers['content-type'] ?? ''
    findings.check(type.startsWith('application/json'), () => `${path} is given out as ${type}`)
    const sniffing = response.headers['x-content-type-options']
    findings.check(sniffing === 'nosniff', () => `a browser may guess what ${path} is`)
  }
  for (const path of PAGES) {
    const { text, headers } = await sendRequest(site.url, { path, headers: { accept: 'text/html' } })
    findings.check(!text.includes(SCRIPT.slice(0, 20)), () => `the page ${path} holds the script: ${brief(text)}`)
    const scripts = /script-src [^;]*/.exec(String(headers['content-security-policy'] ?? ''))?.[0] ?? ''
    const closed = scripts.includes("'self'") && !scripts.includes('unsafe')
    findings.check(closed, () => `the page ${path} lets scripts in: ${scripts}`)
  }
  return findings
}
