/** The part of `package-lock.json` that is read here. */
export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

interface LockedPackage {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  /** As npm checks it: the algorithm and the hash in base64. */
  readonly integrity?: string
  /** For a workspace entry in `node_modules`: the path of its sources. */
  readonly resolved?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

export interface ProductionPackage {
  readonly name: string
  readonly version: string
  /** As declared by its author; undefined if nothing is declared. */
  readonly license?: string
  readonly integrity?: string
  /** Its dependencies as `name@version`. */
  readonly needs: readonly string[]
  /** A workspace of this repository. */
  readonly ours: boolean
}

/** The server with everything it loads, and the console with everything bundled into it. */
const SHIPPED = ['apps/server', 'apps/console']

/**
 * Every package that a user of the product runs, on any platform. `npm sbom --omit dev` does not work: it omits what is
 * also a development dependency of a workspace, such as React, and includes what test helpers need.
 */
export function productionTree({ packages }: Lockfile, shipped = SHIPPED): ProductionPackage[] {
  const needs = new Map<string, readonly string[]>()
  const open = [...shipped]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (needs.has(place)) continue
    const found = neededBy(packages[place]!).map((name) => locate(packages, place, name))
    const needed = found.filter((one) => one !== undefined)
    needs.set(place, needed)
    open.push(...needed)
  }
  const labelOf = (place: string) => `${nameOf(place, packages[place]!)}@${packages[place]!.version}`
  return [...needs.keys()].sort().map((place) => ({
    ...describe(place, packages[place]!),
    needs: needs.get(place)!.map(labelOf).sort(),
  }))
}

function neededBy(entry: LockedPackage): string[] {
  const peers = Object.keys(entry.peerDependencies ?? {})
  return [
    ...Object.keys(entry.dependencies ?? {}),
    ...Object.keys(entry.optionalDependencies ?? {}),
    ...peers.filter((name) => entry.peerDependenciesMeta?.[name]?.optional !== true),
  ]
}

/** Searches the folder itself and then upwards, like Node. */
function locate(packages: Lockfile['packages'], from: string, name: string): string | undefined {
  for (let folder = from; ; folder = parentOf(folder)) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    const entry = packages[place]
    if (entry) return entry.link ? entry.resolved : place
    if (folder === '') return undefined // optional, and for no platform in the lockfile
  }
}

function parentOf(folder: string): string {
  return folder.slice(0, Math.max(0, folder.lastIndexOf('/')))
}

function describe(place: string, entry: LockedPackage): Omit<ProductionPackage, 'needs'> {
  const { version = '', license, integrity } = entry
  return {
    name: nameOf(place, entry),
    version,
    ours: !place.includes(MODULES),
    ...(license !== undefined && { license }),
    ...(integrity !== undefined && { integrity }),
  }
}

const MODULES = 'node_modules/'

/** An alias is listed under its published name, a workspace under its own. */
function nameOf(place: string, { name }: LockedPackage): string {
  return name ?? place.slice(place.lastIndexOf(MODULES) + MODULES.length)
}
