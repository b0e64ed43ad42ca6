/** The parts of a `node --cpu-prof` file that are read here. Times are microseconds of the monotonic clock. */
export interface CpuProfile {
  readonly startTime: number
  readonly nodes: readonly {
    readonly id: number
    readonly children?: readonly number[]
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

export interface SelfTime {
  readonly name: string
  readonly microseconds: number
  readonly share: number
}

export interface ProfileSummary {
  readonly functions: readonly SelfTime[]
  readonly files: readonly SelfTime[]
  readonly packages: readonly SelfTime[]
  /** By the innermost function of the product, including what it made Node and libraries do. */
  readonly ours: readonly SelfTime[]
  /** CPU time within the window, without waiting. */
  readonly busyMicroseconds: number
}

interface SummaryOptions {
  /** Only samples within this window count. */
  readonly from: number
  readonly to: number
  /** The source file of a line of a built file. */
  sourceOf(url: string, line: number): string
}

const WAITING = new Set(['(idle)', '(root)'])

/** Sums the time by function, source file and package, largest first. */
export function summariseProfile(profile: CpuProfile, { from, to, sourceOf }: SummaryOptions): ProfileSummary {
  const spent = timeByNode(profile, from, to)
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const fileOf = ({ callFrame: { url, lineNumber } }: ProfileNode) =>
    url === '' ? 'V8 and native code' : sourceOf(url, lineNumber)
  const nameOf = (node: ProfileNode) => `${node.callFrame.functionName || '(anonymous)'} ${fileOf(node)}`
  const ownerOf = (node: ProfileNode): string => {
    for (let id: number | undefined = node.id; id !== undefined; id = parents.get(id)) {
      if (/^(packages|apps)\//.test(fileOf(nodes.get(id)!))) return nameOf(nodes.get(id)!)
    }
    return '(none of ours)'
  }

  const busyMicroseconds = [...spent.values()].reduce((sum, time) => sum + time, 0)
  const by = (key: (node: ProfileNode) => string) => {
    const sums = new Map<string, number>()
    for (const [id, time] of spent) {
      const name = key(nodes.get(id)!)
      sums.set(name, (sums.get(name) ?? 0) + time)
    }
    return [...sums]
      .map(([name, microseconds]) => ({ name, microseconds, share: microseconds / busyMicroseconds }))
      .toSorted((a, b) => b.microseconds - a.microseconds)
  }
  return {
    functions: by(nameOf),
    files: by(fileOf),
    packages: by((node) => packageOf(fileOf(node))),
    ours: by(ownerOf),
    busyMicroseconds,
  }
}

type ProfileNode = CpuProfile['nodes'][number]

/** A sample stands for the time until the next one. Waiting is left out. */
function timeByNode({ startTime, nodes, samples, timeDeltas }: CpuProfile, from: number, to: number) {
  const waiting = new Set(nodes.filter(({ callFrame }) => WAITING.has(callFrame.functionName)).map(({ id }) => id))
  const spent = new Map<number, number>()
  let at = startTime
  samples.forEach((id, index) => {
    at += timeDeltas[index]!
    if (at < from || at > to || waiting.has(id)) return
    spent.set(id, (spent.get(id) ?? 0) + (timeDeltas[index + 1] ?? 0))
  })
  return spent
}

/** What a file belongs to, such as `packages/gateway`, `undici` or `node`. */
export function packageOf(file: string): string {
  const ofNpm = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(file)?.[1]
  if (ofNpm !== undefined) return ofNpm
  if (file.startsWith('node:')) return 'node'
  return /^((?:packages|apps)\/[^/]+)\//.exec(file)?.[1] ?? file
}

/**
 * The bundler marks where each source file begins and ends, relative to the folder of the server. Lines count from 0,
 * as in profiles.
 */
export function readRegions(bundle: string): (line: number) => string | undefined {
  const starts: { line: number; file: string | undefined }[] = []
  const open: string[] = []
  bundle.split('\n').forEach((text, line) => {
    const file = /^\s*\/\/#region (.+)$/.exec(text)?.[1]
    if (file !== undefined) open.push(file.startsWith('../') ? file.replace(/^(\.\.\/)+/, '') : `apps/server/${file}`)
    else if (/^\s*\/\/#endregion/.test(text)) open.pop()
    else return
    starts.push({ line, file: open.at(-1) })
  })
  return (line) => starts.findLast((start) => start.line <= line)?.file
}
