import type { Lockfile } from '../supply-chain/production-tree.ts'

type LockedPackage = Lockfile['packages'][string]

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export interface Shrinkwrap extends Lockfile {
  readonly name: string
  readonly version: string
}

/**
 * The part of the workspace's lockfile that the package needs, as its `npm-shrinkwrap.json`: an installation gets the
 * tested versions and checksums, also of indirect dependencies.
 */
export function shrinkwrapOf(manifest: Manifest, { packages }: Lockfile): Shrinkwrap {
  const { name, version, dependencies, optionalDependencies = {} } = manifest
  const production: Record<string, LockedPackage> = {}
  const open = [...Object.keys(dependencies), ...Object.keys(optionalDependencies)]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const place = `node_modules/${next}`
    const locked = packages[place]
    if (production[place] || (!locked && !(next in dependencies))) continue
    if (!locked?.integrity) throw new Error(`package-lock.json has no checksum for ${next}`)
    production[place] = withoutMissing(locked, packages)
    const required = Object.keys(locked.dependencies ?? {})
    for (const needed of required) if (!packages[`node_modules/${needed}`]) throw new Error(`${next} needs ${needed}`)
    open.push(...required, ...Object.keys(locked.optionalDependencies ?? {}))
  }
  const places = Object.entries(production).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const header = { name, version, lockfileVersion: 3, requires: true }
  const own = { name, version, dependencies, optionalDependencies }
  return { ...header, packages: { '': own, ...Object.fromEntries(places) } }
}

/** npm rejects a lockfile that lists an optional package without an entry for it. */
function withoutMissing(locked: LockedPackage, packages: Lockfile['packages']): LockedPackage {
  if (!locked.optionalDependencies) return locked
  const held = Object.entries(locked.optionalDependencies).filter(([name]) => packages[`node_modules/${name}`])
  return { ...locked, optionalDependencies: Object.fromEntries(held) }
}

/**
 * Optional packages without an entry in the lockfile, such as the native part of a module for another platform. On that
 * platform the module would be installed without it. npm drops them when it updates a lockfile on one platform.
 */
export function missingPlatforms({ packages }: Lockfile): string[] {
  return Object.entries(packages).flatMap(([place, { dev, optionalDependencies = {} }]) =>
    dev || !place.startsWith('node_modules/')
      ? []
      : Object.keys(optionalDependencies).filter(
          (name) => !packages[`node_modules/${name}`] && !packages[`${place}/node_modules/${name}`],
        ),
  )
}
