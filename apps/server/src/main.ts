import { parseArgs } from 'node:util'
import { limitEgress } from '@tidegate/providers'
import { DumpError } from '@tidegate/storage'
import { advise } from './commands/advise.ts'
import { audit } from './commands/audit.ts'
import { backup } from './commands/backup.ts'
import { config, CONFIG_OPTIONS } from './commands/config.ts'
import { COPY_OPTIONS } from './commands/copy-options.ts'
import { doctor } from './commands/doctor.ts'
import { exportCommand, EXPORT_OPTIONS } from './commands/export.ts'
import { helpFor } from './commands/help.ts'
import { importCommand, IMPORT_OPTIONS } from './commands/import.ts'
import { migrate } from './commands/migrate.ts'
import { CommandError } from './commands/command-error.ts'
import { move } from './commands/move.ts'
import { reload } from './commands/reload.ts'
import { restore } from './commands/restore.ts'
import { secrets, SECRETS_OPTIONS } from './commands/secrets.ts'
import { start } from './commands/start.ts'
import { verify, VERIFY_OPTIONS } from './commands/verify.ts'
import { EnvironmentError, readEnvironment, type Environment } from './environment.ts'
import { createLogger } from './observability/logging.ts'
import { EXIT_MISCONFIGURED } from './supervise/supervisor.ts'
import { VERSION } from './version.ts'

/** Set once it is read; used to explain errors. */
let environment: Environment | undefined

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      role: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
      ...CONFIG_OPTIONS,
      ...COPY_OPTIONS,
      ...IMPORT_OPTIONS,
      ...EXPORT_OPTIONS,
      ...VERIFY_OPTIONS,
      ...SECRETS_OPTIONS,
    },
  })
  const [command = 'help', topic] = positionals
  if (values.version) return print(VERSION)
  if (command === 'help') return printHelp(topic)
  if (values.help) return printHelp(command)
  if (command === 'version') return print(VERSION)

  environment = readEnvironment()
  limitEgress(environment.TIDEGATE_EGRESS_ALLOW)
  const log = createLogger(environment.TIDEGATE_LOG_LEVEL, { format: environment.TIDEGATE_LOG_FORMAT })
  // Other commands print their results; they log only errors.
  const quiet = createLogger('error')
  switch (command) {
    case 'start':
      return await start(environment, log, values)
    case 'reload':
      return reload(environment)
    case 'migrate':
      await migrate(environment, quiet)
      return 0
    case 'doctor':
      return doctor(environment, quiet)
    case 'verify':
      return verify(environment, quiet, values)
    case 'backup':
      return backup(environment, quiet, { args: positionals.slice(1), ...values })
    case 'restore':
      return restore(environment, quiet, { args: positionals.slice(1), ...values })
    case 'move':
      return move(environment, quiet, { args: positionals.slice(1), ...values })
    case 'secrets':
      return secrets(environment, quiet, { args: positionals.slice(1), ...values })
    case 'import':
      return importCommand(environment, quiet, values)
    case 'audit':
      return audit(environment, quiet, { args: positionals.slice(1), ...values })
    case 'export':
      return exportCommand(environment, quiet, values)
    case 'config':
      return config(environment, quiet, { args: positionals.slice(1), ...values })
    default:
      return rejectUnknown(command)
  }
}

function printHelp(command?: string): number {
  const help = helpFor(command)
  return help === undefined ? rejectUnknown(command!) : print(help)
}

function rejectUnknown(command: string): number {
  console.error(`Unknown command: ${command}.\n\n${helpFor()}`)
  return 2
}

function print(text: string): number {
  console.log(text)
  return 0
}

try {
  process.exitCode = await main()
} catch (error) {
  const isExpected = [EnvironmentError, CommandError, DumpError].some((kind) => error instanceof kind)
  if (isExpected) console.error((error as Error).message)
  else if (isUsageError(error)) console.error(describeUsageError(error))
  else reportFailure(error as Error)
  process.exitCode = error instanceof EnvironmentError ? EXIT_MISCONFIGURED : 1
}

function isUsageError(error: unknown): error is Error {
  return (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS_') ?? false
}

/** Node's first sentence, without its advice on positional arguments. */
function describeUsageError({ message }: Error): string {
  return `${message.split('. ')[0]!.replace(/\.$/, '')}. Run "tidegate help COMMAND" for the options of a command.`
}

/** Logs the error as one line, without a stack if the operator can fix it, then prints a message for the operator. */
function reportFailure(error: Error): void {
  const advice = environment && advise(error, environment)
  createLogger('error', { format: environment?.TIDEGATE_LOG_FORMAT }).fatal(
    advice ? {} : { err: error },
    `tidegate failed: ${error.message}`,
  )
  console.error(advice ?? `Tidegate failed: ${error.message}`)
}
