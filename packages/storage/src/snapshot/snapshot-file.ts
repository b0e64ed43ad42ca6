import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { logEvent, type Log } from '@tidegate/contract'
import { hasCode } from '../connection/error-codes.ts'
import type { KeyRows } from '../secrets/key-ring.ts'
import type { Vault } from '../secrets/vault.ts'

/** State of the database in a file, for a process that starts while the database is away. */
export interface Snapshot<Part> {
  /** Unix milliseconds when it was read from the database. */
  readonly at: number
  /** The version of the content, by which a writer knows whether the file is current. */
  readonly version: number
  readonly parts: readonly Part[]
}

interface WrittenSnapshot<Part> extends Omit<Snapshot<Part>, 'parts'> {
  /** The key ring at that time. Without the database, the snapshot is opened with it. */
  readonly secretKeys: KeyRows
  /** Each part is made, sealed and written alone, so that a large snapshot does not block requests. */
  readonly parts: readonly (() => Part)[]
}

export interface SnapshotFile<Part> {
  /** Replaces the file atomically. Returns its size in bytes. */
  write(snapshot: WrittenSnapshot<Part>): Promise<number>
  /**
   * Loads the key ring of the snapshot and opens it. Undefined without a usable file: a file that is too old, from
   * another schema, or sealed with other keys is logged and ignored.
   */
  read(): Promise<Snapshot<Part> | undefined>
  /** What the file says about itself; undefined without a file. */
  head(): Promise<Pick<Snapshot<Part>, 'at' | 'version'> | undefined>
}

interface SnapshotOptions {
  readonly path: string
  /** What it contains. A file with another content under this path does not open. */
  readonly content: string
  /** The schema of the build, by its last migration. */
  readonly schema: string
  readonly vault: Pick<Vault, 'seal' | 'open' | 'ring'>
  readonly log: Log
  readonly now?: () => number
}

/** Raised with every change that an earlier release could not read. */
const FORMAT = 1
const MAX_AGE_MS = 24 * 3_600_000
/** Two machines may disagree about the time by this much. */
const MAX_AHEAD_MS = 60_000

/** The first line of the file. The parts authenticate it. */
interface Head {
  readonly format: number
  readonly schema: string
  readonly at: number
  readonly version: number
  readonly count: number
  /** Wrapped with the root key. */
  readonly secretKeys: KeyRows
}

export function snapshotFile<Part>(options: SnapshotOptions): SnapshotFile<Part> {
  const { path, content, schema, vault, log, now = Date.now } = options
  const contextOf = (head: Head, index: number) =>
    `${content} ${index} ${JSON.stringify([head.format, head.schema, head.at, head.version, head.count])}`

  async function readLines(): Promise<{ head: Head; sealed: string[] } | undefined> {
    try {
      const [first = '', ...sealed] = (await readFile(path, 'utf8')).trimEnd().split('\n')
      return { head: JSON.parse(first) as Head, sealed }
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) logEvent(log, 'snapshot.ignored', { path, err: error })
      return undefined
    }
  }

  function reasonAgainst({ format, at, schema: ofFile }: Head): string | undefined {
    if (format !== FORMAT) return `its format is ${format}`
    if (ofFile !== schema) return `it has the schema ${ofFile}`
    if (now() - at > MAX_AGE_MS) return 'it is older than a day'
    if (at - now() > MAX_AHEAD_MS) return 'its time is in the future'
    return undefined
  }

  return {
    async write({ at, version, secretKeys, parts }) {
      const head: Head = { format: FORMAT, schema, at, version, count: parts.length, secretKeys }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
      const file = await open(temporary, 'wx', 0o600)
      try {
        await file.appendFile(`${JSON.stringify(head)}\n`)
        for (const [index, makePart] of parts.entries()) {
          await file.appendFile(`${vault.seal('snapshot', contextOf(head, index), JSON.stringify(makePart()))}\n`)
          await nextTurn()
        }
        await file.sync()
        const { size } = await file.stat()
        await file.close()
        await rename(temporary, path)
        return size
      } catch (error) {
        await file.close().catch(() => {})
        await rm(temporary, { force: true })
        throw error
      }
    },
    async read() {
      const lines = await readLines()
      if (!lines) return undefined
      const { head, sealed } = lines
      try {
        const reason = reasonAgainst(head) ?? (sealed.length !== head.count && 'it is not complete')
        if (reason) throw new Error(reason)
        vault.ring.load(head.secretKeys)
        const parts = sealed.map(
          (text, index) => JSON.parse(vault.open('snapshot', contextOf(head, index), text)) as Part,
        )
        return { at: head.at, version: head.version, parts }
      } catch (error) {
        logEvent(log, 'snapshot.ignored', { path, err: error })
        return undefined
      }
    },
    async head() {
      const lines = await readLines()
      return lines && { at: lines.head.at, version: lines.head.version }
    },
  }
}
