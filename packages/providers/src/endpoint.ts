/** A vendor's address and a path under it, of which the address may already hold the version. */
export function endpoint(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, '')
  const version = /^\/v\d+[a-z]*/.exec(path)?.[0]
  // Cloudflare's AI gateway has no version in its paths; others are often entered with the version already there.
  const versioned = isUnversioned(base) || (version && base.endsWith(version))
  return base + (versioned && version ? path.slice(version.length) : path)
}

const UNVERSIONED = 'gateway.ai.cloudflare.com'

/** Reading an address takes longer than all else here, and hardly any is this one. */
function isUnversioned(base: string): boolean {
  return base.includes(UNVERSIONED) && URL.parse(base)?.hostname === UNVERSIONED
}
