import type { Quota } from '@tidegate/contract'
import type { RateLimit } from './limiter.ts'

/** A user account. */
export interface UserRecord {
  readonly userId: number
  readonly username: string
  readonly userStatus: number
  readonly userRole: number
  readonly userGroup: string
  /** The balance when the record was read, without credit leases; missing when unknown. */
  readonly userQuota?: Quota
  readonly userSetting: { readonly acceptUnsetRatio: boolean; readonly showIp: boolean }
}

/** An API token and its owner. */
export interface CallerRecord extends UserRecord {
  /** 0 for requests without a token. */
  readonly tokenId: number
  /** Identifies the token in change notifications. */
  readonly tokenHash?: string
  readonly tokenName: string
  readonly tokenStatus: number
  /** Unix seconds, or -1 for never. */
  readonly expiredTime: number
  readonly unlimitedQuota: boolean
  readonly remainQuota: Quota
  /** Unix seconds of the next quota reset; missing when the quota is not reset. */
  readonly budgetResetsAt?: number
  readonly modelLimitsEnabled: boolean
  readonly modelLimits: readonly string[]
  /** Addresses or ranges, one per line. */
  readonly allowIps: string
  /** Blank means the owner's group. */
  readonly tokenGroup: string
  /** The limit of the token itself; missing when it has none. */
  readonly rateLimit?: RateLimit
  /** Model tokens per minute; missing when unlimited. */
  readonly tokensPerMinute?: number
  /** Concurrent requests; missing when unlimited. */
  readonly maxConcurrency?: number
  /** False where responses must not be stored; missing otherwise. */
  readonly storesResponses?: false
}

/** The authenticated sender of a request. */
export interface Caller extends CallerRecord {
  /** The channel that an administrator pinned. */
  readonly pinnedChannelId?: number
}

export interface AccountAmounts {
  readonly remain: Quota
  readonly used: Quota
}

export interface CallerAmounts {
  readonly user: AccountAmounts
  readonly token: AccountAmounts
}

export interface RejectedAddress {
  readonly userId: number
  readonly tokenName: string
  readonly clientAddress: string
  readonly requestId: string
}
