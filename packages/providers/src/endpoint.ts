/** A vendor's address and a path under it, of which the address may already hold the version. */
export function endpoint(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, '')
  const version = /^\/v\d+[a-z]*/.exec(path)?.[0]
  // Cloudflare's AI gateway has no version in its paths; others are often entered with the version already there.
  const versioned = URL.parse(base)?.hostname === 'gateway.ai.cloudflare.com' || (version && base.endsWith(version))
  return base + (versioned && version ? path.slice(version.length) : path)
}
