import type { Quota } from '@tidegate/contract'
import type { RateLimit } from './limiter.ts'

/** Somebody with an account, as it stands. */
export interface Person {
  readonly userId: number
  readonly username: string
  readonly userStatus: number
  readonly userRole: number
  readonly userGroup: string
  /** As it was when the record was read, without what processes hold of it; missing when it is not known. */
  readonly userQuota?: Quota
  readonly userSetting: { readonly acceptUnsetRatio: boolean; readonly showIp: boolean }
}

/** A token and its owner, as they stand. */
export interface CallerRecord extends Person {
  /** 0 for calls that are made without a token. */
  readonly tokenId: number
  /** Names the token in change notifications. */
  readonly tokenHash?: string
  readonly tokenName: string
  readonly tokenStatus: number
  /** Unix seconds, or -1 for never. */
  readonly expiredTime: number
  readonly unlimitedQuota: boolean
  readonly remainQuota: Quota
  /** Unix seconds of when the quota is filled up again; missing when it never is. */
  readonly budgetResetsAt?: number
  readonly modelLimitsEnabled: boolean
  readonly modelLimits: readonly string[]
  /** Addresses or ranges, one per line. */
  readonly allowIps: string
  /** Blank means the owner's group. */
  readonly tokenGroup: string
  /** Of the token itself; missing when it has none. */
  readonly rateLimit?: RateLimit
  /** Model tokens the token may use in a minute; missing when it may use as many as it likes. */
  readonly tokensPerMinute?: number
  /** Calls of the token that may run at the same time; missing when there may be any number. */
  readonly maxConcurrency?: number
}

/** Somebody whose token is good at this moment. */
export interface Caller extends CallerRecord {
  /** The channel an administrator asked for. */
  readonly pinnedChannelId?: number
}

export interface AccountFigures {
  readonly remain: Quota
  readonly used: Quota
}

export interface AccountPair {
  readonly user: AccountFigures
  readonly token: AccountFigures
}

export interface RejectedAddress {
  readonly userId: number
  readonly tokenName: string
  readonly clientAddress: string
  readonly requestId: string
}
