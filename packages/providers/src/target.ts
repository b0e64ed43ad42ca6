/** Where one call goes: a channel's own values over those of its vendor. */
export interface Target {
  /** Blank means the vendor's own address. */
  readonly baseUrl: string
  readonly key: string
  /** The model name the vendor will be asked for. */
  readonly model: string
  readonly organization?: string
  /** The channel's free field, whose meaning is the vendor's. */
  readonly other?: string
  /** The channel's own switches. */
  readonly setting?: Readonly<Record<string, unknown>>
}

/** A vendor's address and a path under it, of which the address may already hold the version. */
export function endpoint(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, '')
  const version = /^\/v\d+[a-z]*/.exec(path)?.[0]
  // Cloudflare's AI gateway has no version in its paths; others are often entered with the version already there.
  const versioned = isUnversioned(base) || (version && base.endsWith(version))
  return base + (versioned && version ? path.slice(version.length) : path)
}

const UNVERSIONED_HOST = 'gateway.ai.cloudflare.com'

/** Reading an address takes longer than all else here, and hardly any is this one. */
function isUnversioned(base: string): boolean {
  return base.includes(UNVERSIONED_HOST) && URL.parse(base)?.hostname === UNVERSIONED_HOST
}
