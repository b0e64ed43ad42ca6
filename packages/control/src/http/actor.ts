import type { Role } from '@tidegate/contract'

/** Who is calling a protected endpoint, as checked for this request. */
export interface Actor {
  readonly id: number
  readonly username: string
  readonly role: Role
  readonly group: string
  /** Areas of the settings that an administrator was granted. */
  readonly settingsAreas: readonly string[]
  /** The session's stored name, when the call came with a cookie rather than an access token. */
  readonly sessionHash: string | undefined
  /** What an automation token was given, when the call came with one. */
  readonly automation?: AutomationCredential
}

export interface AutomationCredential {
  /** Of the token. */
  readonly id: number
  /** As its owner named it; for the audit trail. */
  readonly name: string
  readonly scopes: readonly string[]
  /** The scope of this call was given in the knowledge that a person would be asked for a proof. */
  readonly replacesReauth: boolean
}

/** Where a request came from; for limits, logs and the audit trail. */
export interface Origin {
  readonly clientIp: string
  /** Certainly sent on this machine, through no proxy. */
  readonly isLocal: boolean
  /** The browser uses https. */
  readonly isSecure: boolean
  readonly userAgent: string
  readonly requestId: string
  /** What the browser got at earlier logins; not checked yet. */
  readonly deviceCookie?: string | undefined
  /** The automation token that acts, by its name. */
  readonly tokenName?: string
}
