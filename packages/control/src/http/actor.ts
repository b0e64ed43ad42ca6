import type { Role } from '@tidegate/contract'

/** The authenticated caller of a protected endpoint. */
export interface Actor {
  readonly id: number
  readonly username: string
  readonly role: Role
  readonly group: string
  /** Settings areas delegated to an administrator. */
  readonly settingsAreas: readonly string[]
  /** Stored hash of the session; undefined for access tokens. */
  readonly sessionHash: string | undefined
  /** The automation token of the request, if any. */
  readonly automation?: AutomationCredential
}

export interface AutomationCredential {
  /** Id of the token. */
  readonly id: number
  /** Name of the token, for the audit trail. */
  readonly name: string
  readonly scopes: readonly string[]
  /** The scope was granted knowing that a session would need re-authentication. */
  readonly replacesReauth: boolean
}

/** Origin of a request, for limits, logs and the audit trail. */
export interface Origin {
  readonly clientIp: string
  /** Sent from this machine, without a proxy. */
  readonly isLocal: boolean
  /** The browser uses https. */
  readonly isSecure: boolean
  readonly userAgent: string
  readonly requestId: string
  /** Device cookie of earlier logins; not verified yet. */
  readonly deviceCookie?: string | undefined
  /** Name of the acting automation token. */
  readonly tokenName?: string
}
