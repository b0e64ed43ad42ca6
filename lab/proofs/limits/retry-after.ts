import { setTimeout as delay } from 'node:timers/promises'
import type { LimitsSite } from '@tidegate/e2e/scenarios/limits/limits-site.ts'
import { sendRequest, type ChatResponse } from '@tidegate/e2e/scenarios/limits/send-requests.ts'

export interface RetryAfterResult {
  /** Rejections after which a client waited as long as required. */
  waits: number[]
  admitted: number
  failures: string[]
}

/** A client that waits as long as `Retry-After` says is accepted, on the other gateway too. */
export async function checkRetryAfter(site: LimitsSite): Promise<RetryAfterResult> {
  const { upstream, nodes } = site
  upstream.reset()
  const [here, there] = nodes.map(({ url }) => url)
  const failures: string[] = []
  const waits: number[] = []
  let admitted = 0

  async function waitAndReturn(what: string, key: string, rejected: ChatResponse): Promise<void> {
    const seconds = Number(rejected.headers['retry-after'])
    if (rejected.status !== 429 || !(seconds > 0)) {
      failures.push(`${what}: ${rejected.status} ${rejected.code}, come back after ${rejected.headers['retry-after']}`)
      return
    }
    await delay(seconds * 1000)
    const second = await sendRequest({ url: there!, key })
    waits.push(seconds)
    if (second.status === 200) admitted += 1
    else failures.push(`${what}: after ${seconds} s the response was ${second.status} ${second.code}`)
  }

  async function requests(): Promise<void> {
    const window = { rate_limit_enabled: true, rate_limit_period: 6, rate_limit_count: 3, rate_limit_success: 0 }
    const key = await site.newKey(window)
    for (let request = 0; request < 3; request++) await sendRequest({ url: here!, key })
    await waitAndReturn('requests', key, await sendRequest({ url: here!, key }))
  }

  async function overdraft(): Promise<void> {
    const key = await site.newKey({ tokens_per_minute: 6_000 })
    upstream.when(({ body }) => JSON.stringify(body).includes('overdraw'), {
      usage: { prompt_tokens: 20, completion_tokens: 6_230 },
    })
    const first = await sendRequest({ url: here!, key, content: 'overdraw' })
    if (first.headers['x-ratelimit-remaining-tokens'] !== '0') failures.push('an overdraft was not reported')
    await waitAndReturn('tokens', key, await sendRequest({ url: here!, key }))
  }

  await Promise.all([requests(), overdraft()])
  upstream.reset()
  return { waits, admitted, failures }
}
