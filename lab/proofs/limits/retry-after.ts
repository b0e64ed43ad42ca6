import { setTimeout as delay } from 'node:timers/promises'
import type { LimitsSite } from '@tidegate/e2e/scenarios/limits/limits-site.ts'
import { offerCall, type Answer } from '@tidegate/e2e/scenarios/limits/send-requests.ts'

export interface CameBack {
  /** Refusals whose wait was honoured. */
  waits: number[]
  admitted: number
  short: string[]
}

/** Who waits as long as a refusal says is let in, on the other gateway too. */
export async function comeBack(site: LimitsSite): Promise<CameBack> {
  const { upstream, nodes } = site
  upstream.reset()
  const [here, there] = nodes.map(({ url }) => url)
  const short: string[] = []
  const waits: number[] = []
  let admitted = 0

  async function waitAndReturn(what: string, key: string, refused: Answer): Promise<void> {
    const seconds = Number(refused.headers['retry-after'])
    if (refused.status !== 429 || !(seconds > 0)) {
      short.push(`${what}: ${refused.status} ${refused.code}, come back after ${refused.headers['retry-after']}`)
      return
    }
    await delay(seconds * 1000)
    const second = await offerCall({ url: there!, key })
    waits.push(seconds)
    if (second.status === 200) admitted += 1
    else short.push(`${what}: after ${seconds} s the answer was ${second.status} ${second.code}`)
  }

  async function requests(): Promise<void> {
    const window = { rate_limit_enabled: true, rate_limit_period: 6, rate_limit_count: 3, rate_limit_success: 0 }
    const key = await site.newKey(window)
    for (let call = 0; call < 3; call++) await offerCall({ url: here!, key })
    await waitAndReturn('requests', key, await offerCall({ url: here!, key }))
  }

  async function overdraft(): Promise<void> {
    const key = await site.newKey({ tokens_per_minute: 6_000 })
    upstream.when(({ body }) => JSON.stringify(body).includes('overdraw'), {
      usage: { prompt_tokens: 20, completion_tokens: 6_230 },
    })
    const first = await offerCall({ url: here!, key, content: 'overdraw' })
    if (first.headers['x-ratelimit-remaining-tokens'] !== '0') short.push('an overdraft was not told')
    await waitAndReturn('tokens', key, await offerCall({ url: here!, key }))
  }

  await Promise.all([requests(), overdraft()])
  upstream.reset()
  return { waits, admitted, short }
}
