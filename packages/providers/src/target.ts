/** Where one request goes: the channel's values override the provider's. */
export interface Target {
  /** Empty: the provider's default. */
  readonly baseUrl: string
  readonly key: string
  /** The model name sent to the provider. */
  readonly model: string
  readonly organization?: string
  /** The channel's `other` field; its meaning depends on the provider. */
  readonly other?: string
  /** The channel's `setting` field. */
  readonly setting?: Readonly<Record<string, unknown>>
}

/** Joins a base URL and a path, without repeating a version that the base URL already ends with. */
export function endpoint(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, '')
  const version = /^\/v\d+[a-z]*/.exec(path)?.[0]
  // Cloudflare's AI gateway has no version in its paths.
  const versioned = isUnversioned(base) || (version && base.endsWith(version))
  return base + (versioned && version ? path.slice(version.length) : path)
}

const UNVERSIONED_HOST = 'gateway.ai.cloudflare.com'

/** Parsing a URL is slow, so compare text first. */
function isUnversioned(base: string): boolean {
  return base.includes(UNVERSIONED_HOST) && URL.parse(base)?.hostname === UNVERSIONED_HOST
}
