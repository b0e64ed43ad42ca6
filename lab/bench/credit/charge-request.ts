import type { Credit } from '@tidegate/ledger'
import { computeReceipt, NO_USAGE, priceByRatios, worstCaseQuota } from '@tidegate/pricing'
import type { Payer } from './accounts.ts'

const PRICE = priceByRatios(
  { priceName: 'gpt-4o-mini', group: 'default', groupRatio: 1, quotaPerUnit: 500_000 },
  {
    modelRatio: 0.075,
    completionRatio: 4,
    cacheRatio: 0.5,
    cacheWriteRatio: 1,
    cacheWrite1hRatio: 1,
    audioRatio: 1,
    audioCompletionRatio: 1,
  },
)

/** What the gateway does around a request: reserve credit, price the usage, settle. */
export async function chargeRequest(credit: Credit, payer: Payer, sequence: number): Promise<void> {
  const promptTokens = 200 + (sequence % 300)
  const bound = {
    promptTokens,
    outputLimit: 1000,
    choices: 1,
    cacheWrite: '5m',
    audioInput: false,
    audioOutput: false,
  } as const
  const amount = worstCaseQuota(PRICE, bound)
  const reservation = await credit.reserve({ requestId: `bench-${sequence}`, ...payer, amount })
  const usage = { ...NO_USAGE, input: promptTokens, output: 50 + (sequence % 700) }
  await reservation.settle({
    usage,
    receipt: computeReceipt(PRICE, usage),
    log: {
      type: 2,
      createdAt: Date.now(),
      username: 'alex',
      tokenName: 'laptop',
      modelName: 'gpt-4o-mini',
      channelId: 1,
      group: 'default',
      isStream: true,
      useTimeMs: 1200,
      clientIp: '',
      firstTokenMs: 180,
      timing: { authenticate: 0.1, prompt: 0.1, route: 0.2, credit: 0.1 },
      attempts: [{ channel: 1, dialect: 'openai-chat', milliseconds: 170 }],
      decision: { candidates: 1, passedOver: [], passedOverCount: 0 },
    },
  })
}
