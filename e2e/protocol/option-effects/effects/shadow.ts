import type { Rows } from '../effect.ts'
import type { EffectSite } from '../effect-site.ts'
import { PLAIN } from '../channels.ts'

const REQUESTS = 8

/** The responses to copies of requests. */
async function copies(site: EffectSite): Promise<unknown> {
  const statuses = new Set<number>()
  for (let request = 0; request < REQUESTS; request += 1) {
    const response = await fetch(`${site.url}/shadow/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.member.keys.default}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: PLAIN, messages: [{ role: 'user', content: 'hello' }] }),
    })
    await response.arrayBuffer()
    statuses.add(response.status)
  }
  return [...statuses]
}

export const shadowEffects = {
  ShadowEnabled: { value: 'true', probe: copies, before: [404], after: [202] },
  ShadowShare: { given: { ShadowEnabled: 'true' }, value: '0', probe: copies, before: [202], after: [204] },
} satisfies Rows
