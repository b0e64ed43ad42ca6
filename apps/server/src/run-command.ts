import { limitEgress } from '@tidegate/providers'
import type { Environment } from './environment.ts'
import { createLogger } from './observability/logging.ts'
import type { CommandValues } from './commands/options.ts'

/** Loads and runs any command but `start`. Returns the exit code, or undefined if there is no such command. */
export async function runCommand(
  environment: Environment,
  [command, ...args]: readonly string[],
  values: CommandValues,
): Promise<number | undefined> {
  limitEgress(environment.TIDEGATE_EGRESS_ALLOW)
  // Commands print their results; they log only errors.
  const quiet = createLogger('error')
  switch (command) {
    case 'reload':
      return (await import('./commands/reload.ts')).reload(environment)
    case 'migrate':
      await (await import('./commands/migrate.ts')).migrate(environment, quiet)
      return 0
    case 'doctor':
      return (await import('./commands/doctor.ts')).doctor(environment, quiet, values)
    case 'verify':
      return (await import('./commands/verify.ts')).verify(environment, quiet, values)
    case 'backup':
      return (await import('./commands/backup.ts')).backup(environment, quiet, { args, ...values })
    case 'restore':
      return (await import('./commands/restore.ts')).restore(environment, quiet, { args, ...values })
    case 'drill':
      return (await import('./commands/restore.ts')).drill(environment, quiet, { args, ...values })
    case 'move':
      return (await import('./commands/move.ts')).move(environment, quiet, { args, ...values })
    case 'logs':
      return (await import('./commands/logs/move-logs.ts')).logs(environment, quiet, { args, ...values })
    case 'secrets':
      return (await import('./commands/secrets.ts')).secrets(environment, quiet, { args, ...values })
    case 'import':
      return (await import('./commands/import.ts')).importCommand(environment, quiet, values)
    case 'audit':
      return (await import('./commands/audit.ts')).audit(environment, quiet, { args, ...values })
    case 'export':
      return (await import('./commands/export.ts')).exportCommand(environment, quiet, values)
    case 'config':
      return (await import('./commands/config.ts')).config(environment, quiet, { args, ...values })
    default:
      return undefined
  }
}
