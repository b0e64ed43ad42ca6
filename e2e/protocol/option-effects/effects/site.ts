import { api } from '@tidegate/contract'
import { addToken } from '@tidegate/testing'
import { sendChat, statusOf } from '../send-chat.ts'
import { SITE_ADDRESS } from '../baseline.ts'
import type { Rows } from '../effect.ts'
import type { EffectSite } from '../effect-site.ts'
import { OTHER_GEMINI, PLAIN } from '../channels.ts'
import { newUser, newAnonymousClient } from '../anonymous-client.ts'

const HOME = '198.51.100.7'
const ELSEWHERE = '198.51.100.8'
const OTHER_ADDRESS = 'https://tide.example'

/** The result of a request with a key that is valid on this site only. */
function sendText(headers: Record<string, string>) {
  return async (site: EffectSite) => {
    const { secret } = await addToken(site.member.client, { allow_ips: HOME })
    return await statusOf(site, { model: PLAIN, key: secret, headers })
  }
}

/** The route that the server takes to a user-defined address, and the key that the worker gets. */
async function destinationOf(site: EffectSite, visit: (address: string) => Promise<unknown>): Promise<string> {
  const { hooks, worker } = site.services
  const [received, workerRequests] = [hooks.received.length, worker.requests.length]
  hooks.respond({ headers: { 'content-type': 'image/png' }, body: 'a picture' })
  await visit(`${hooks.url}/somewhere`)
  if (hooks.received.length > received) return 'directly'
  return worker.requests.length > workerRequests
    ? `by the worker with ${worker.requests.at(-1)!.key || 'no key'}`
    : 'not at all'
}

/** Webhooks, and files of callers for providers that do not fetch them. */
const destinations = async (site: EffectSite) => ({
  webhook: await destinationOf(site, async (webhook_url) => {
    const user = await newUser(site) // repeated attempts are rate limited
    await user.call(api.testNotice, { body: { notify_type: 'webhook', webhook_url } })
  }),
  file: await destinationOf(site, async (url) => {
    const content = [{ type: 'image_url', image_url: { url } }]
    await sendChat(site, { model: OTHER_GEMINI, body: { messages: [{ role: 'user', content }] } })
  }),
})

const both = (way: string) => ({ webhook: way, file: way })

export const siteEffects = {
  ServerAddress: {
    value: OTHER_ADDRESS,
    async probe(site) {
      const { server_address } = await newAnonymousClient(site).call(api.getStatus)
      const order = await site.member.client.call(api.startTopUp, { body: { amount: 5, payment_method: 'zfb' } })
      return [server_address, 'url' in order && order.data['return_url'], 'url' in order && order.data['notify_url']]
    },
    before: [SITE_ADDRESS, `${SITE_ADDRESS}/app/wallet/topup-success`, `${SITE_ADDRESS}/api/user/epay/notify`],
    after: [OTHER_ADDRESS, `${OTHER_ADDRESS}/app/wallet/topup-success`, `${OTHER_ADDRESS}/api/user/epay/notify`],
  },
  WorkerUrl: {
    value: (site) => site.services.worker.url,
    probe: destinations,
    before: both('directly'),
    after: both('by the worker with no key'),
  },
  WorkerValidKey: {
    given: (site) => ({ WorkerUrl: site.services.worker.url }),
    value: 'worker-key',
    probe: destinations,
    before: both('by the worker with no key'),
    after: both('by the worker with worker-key'),
  },
  ReverseProxyEnabled: {
    value: 'false',
    probe: sendText({ 'x-forwarded-for': HOME }),
    before: 200,
    after: 403,
  },
  ReverseProxyProvider: {
    value: 'cloudflare',
    probe: sendText({ 'x-forwarded-for': ELSEWHERE, 'cf-connecting-ip': HOME }),
    before: 403,
    after: 200,
  },
} satisfies Rows
