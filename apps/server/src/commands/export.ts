import { InputError, exportUsers } from '@tidegate/import'
import { describeSchemaProblem, inspectSchema } from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { openStorage } from '../process/open-storage.ts'

interface ExportOptions {
  user?: string
  all?: boolean
  output?: string
  format?: string
  secrets?: boolean
}

const QUERY_MS = 60_000

/** Writes the data of one user or of all users into files. Returns the exit code. */
export async function exportCommand(environment: Environment, log: Logger, options: ExportOptions): Promise<number> {
  try {
    const { user, all = false, output, format = 'json', secrets = false } = options
    if ((user === undefined) === !all || output === undefined) {
      throw new InputError(
        'An option is missing. Use: tidegate export --user NAME --output DIR, or --all instead of --user.',
      )
    }
    if (format !== 'json' && format !== 'csv') throw new InputError('--format must be json or csv.')
    const storage = await openStorage({ ...environment, REDIS_URL: undefined }, log)
    try {
      const { db } = storage.database
      const problem = describeSchemaProblem(await inspectSchema(db))
      if (problem !== undefined) throw new InputError(problem)
      const onUser = (name: string, rows: number) => console.log(`${name}: ${rows} rows`)
      const site = { db, vault: storage.vault, logs: storage.logs.at(db, QUERY_MS) }
      const total = await exportUsers(site, { username: user, directory: output, format, secrets, onUser })
      console.log(`${total} ${total === 1 ? 'user' : 'users'} written to ${output}.`)
      return 0
    } finally {
      await storage.close()
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    console.error(error.message)
    return 1
  }
}
