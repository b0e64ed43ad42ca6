import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { api } from '@tidegate/contract'
import { openStream } from '@tidegate/e2e/scenarios/streams/stream-client.ts'
import { PROTOCOLS } from '@tidegate/e2e/scenarios/streams/protocols.ts'
import { quantile } from '@tidegate/e2e/scenarios/quantile.ts'
import { LIMITED_MODEL, type StreamSite } from '@tidegate/e2e/scenarios/streams/stream-site.ts'
import { promptOf } from '@tidegate/e2e/scenarios/streams/timed-upstream.ts'

export interface LongPromptPlan {
  streams: number
  everyMs: number
  promptTokens: number
  prompts: number
}

export interface LongPromptResult {
  prompts: number
  /** Tokens that the server counted for the last prompt. */
  countedTokens: number
  /** The longest delay of any event of the other streams, without a prompt and during one. */
  quietWorst: number
  busyWorst: number
  /** How much longer the slowest event took during a prompt than just before it, over all prompts. */
  addedMedian: number
  addedMax: number
  failures: string[]
}

const QUIET_MS = 250

/**
 * Measures fast streams while long prompts arrive that must be counted: before forwarding, because their channel has a
 * limit, and after the response, because the provider reports no usage.
 */
export async function measureLongPrompts(site: StreamSite, plan: LongPromptPlan): Promise<LongPromptResult> {
  const { server, key } = site
  const prompt = longPrompt(plan.promptTokens)
  await sendPrompt(site, prompt) // starts the counting thread and loads its vocabulary, once per process
  const streamPlan = { kind: 'tick', everyMs: plan.everyMs } as const
  const listening = Array.from({ length: plan.streams }, () =>
    openStream({ url: server.url, key, protocol: PROTOCOLS.chat, plan: streamPlan }),
  )
  await Promise.all(listening.map(({ begun }) => begun))
  const worst = (from: number, to: number) =>
    Math.max(
      0,
      ...listening.flatMap(({ received: { delays, receivedAt } }) =>
        delays.filter((_, index) => receivedAt[index]! > from && receivedAt[index]! < to),
      ),
    )

  const rounds: { quiet: number; busy: number; response: string }[] = []
  while (rounds.length < plan.prompts) {
    const from = performance.now()
    await delay(QUIET_MS)
    const sentAt = performance.now()
    const response = await sendPrompt(site, prompt)
    await delay(2 * plan.everyMs) // an event delayed by the end of it
    rounds.push({ quiet: worst(from, sentAt), busy: worst(sentAt, performance.now()), response })
  }

  for (const { abort } of listening) abort()
  await Promise.all(listening.map(({ ended }) => ended))
  // Compared round by round, because other load comes and goes.
  const added = rounds.map(({ quiet, busy }) => busy - quiet)
  const rejected = rounds.find(({ response }) => !response.includes(PROTOCOLS.chat.endMark))
  return {
    prompts: plan.prompts,
    countedTokens: await countedTokens(site),
    quietWorst: Math.max(...rounds.map(({ quiet }) => quiet)),
    busyWorst: Math.max(...rounds.map(({ busy }) => busy)),
    addedMedian: quantile(added, 0.5),
    addedMax: Math.max(...added),
    failures: rejected ? [`a long prompt got no response: ${rejected.response.slice(0, 300)}`] : [],
  }
}

/** A text of this many tokens, made of one-token words. */
function longPrompt(tokens: number): Buffer {
  const text = 'the tide comes in and the gate lets it through '.repeat(Math.ceil(tokens / 10))
  const prompt = `${text}${promptOf({ kind: 'tick', events: 1 })}`
  return Buffer.from(JSON.stringify(PROTOCOLS.chat.body(LIMITED_MODEL, prompt)))
}

function sendPrompt({ server, key }: StreamSite, body: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    request(`${server.url}/v1/chat/completions`, { method: 'POST', headers }, (response) => {
      let text = ''
      response
        .setEncoding('utf8')
        .on('data', (piece: string) => (text += piece))
        .once('end', () => resolve(text))
    })
      .once('error', reject)
      .end(body)
  })
}

async function countedTokens({ client }: StreamSite): Promise<number> {
  const { items } = await client.call(api.listLogs, { query: { p: 1, page_size: 100, model_name: LIMITED_MODEL } })
  return items[0]?.prompt_tokens ?? 0
}
