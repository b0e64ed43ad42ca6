import type { Role } from '@tidegate/contract'

/** Who is calling a protected endpoint, as checked for this request. */
export interface Actor {
  readonly id: number
  readonly username: string
  readonly role: Role
  readonly group: string
  /** The session's stored name, when the call came with a cookie rather than an access token. */
  readonly sessionHash: string | undefined
}

/** Where a request came from; for limits, logs and the audit trail. */
export interface Origin {
  readonly clientIp: string
  /** Known to be on this machine or in a private network. */
  readonly isLocal: boolean
  readonly userAgent: string
  readonly requestId: string
}
