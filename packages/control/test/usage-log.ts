import { settleBatch, type Settlement } from '@tidegate/ledger'
import type { TestSite } from './start-site.ts'

let batches = 0

type SettlementChanges = Partial<Omit<Settlement, 'log'>> & { log?: Partial<Settlement['log']> }

/** A settled request with defaults. */
export function createSettlement(userId: number, at: Date, changes: SettlementChanges = {}) {
  const { log, ...others } = changes
  return {
    requestId: `r${userId}-${at.getTime()}`,
    userId,
    tokenId: 0,
    tokenLimited: false,
    quota: 1,
    promptTokens: 10,
    completionTokens: 5,
    keepLog: true,
    ...others,
    log: {
      type: 2,
      createdAt: at.getTime(),
      username: `u${userId}`,
      tokenName: 'key',
      modelName: 'gpt-4o',
      channelId: 7,
      group: 'default',
      isStream: false,
      useTimeMs: 1500,
      clientIp: '',
      content: '',
      other: {},
      ...log,
    },
  } satisfies Settlement
}

/** Settles requests like a gateway process. */
export async function settle({ db }: Pick<TestSite, 'db'>, settlements: readonly Settlement[]): Promise<void> {
  await settleBatch(db, { holder: 'test-gateway', number: ++batches }, settlements)
}
