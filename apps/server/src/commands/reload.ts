import type { Environment } from '../environment.ts'
import { readSupervisorPid } from '../supervise/run-directory.ts'
import { CommandError } from './command-error.ts'

/** Asks the supervisor of the data directory to replace its processes one by one. */
export async function reload({
  TIDEGATE_DATA_DIR: directory,
}: Pick<Environment, 'TIDEGATE_DATA_DIR'>): Promise<number> {
  const pid = await readSupervisorPid(directory)
  if (pid === undefined) {
    throw new CommandError(
      `No supervisor runs with the data directory ${directory}. A site with one process has none: restart it instead.`,
    )
  }
  process.kill(pid, 'SIGHUP')
  console.log(`The supervisor (process ${pid}) replaces its processes one by one. Its log reports supervisor.reloaded.`)
  return 0
}
