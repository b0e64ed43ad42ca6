import { parseArgs } from 'node:util'
import { helpFor } from './commands/help.ts'
import { COMMAND_OPTIONS } from './commands/options.ts'
import { start } from './commands/start.ts'
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
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
      ...COMMAND_OPTIONS,
    },
  })
  const [command = 'help', topic] = positionals
  if (values.version) return print(VERSION)
  if (command === 'help') return printHelp(topic)
  if (values.help) return printHelp(command)
  if (command === 'version') return print(VERSION)

  environment = readEnvironment()
  const log = createLogger(environment.TIDEGATE_LOG_LEVEL, { format: environment.TIDEGATE_LOG_FORMAT })
  if (command === 'start') return await start(environment, log, values)
  const { runCommand } = await import('./run-command.ts')
  return (await runCommand(environment, positionals, values)) ?? rejectUnknown(command)
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
  if (isExpected(error)) console.error(error.message)
  else if (isUsageError(error)) console.error(describeUsageError(error))
  else await reportFailure(error as Error)
  process.exitCode = isMisconfigured(error) ? EXIT_MISCONFIGURED : 1
}

function isMisconfigured(error: unknown): boolean {
  return error instanceof EnvironmentError || (error instanceof Error && error.name === 'CellMismatch')
}

/** By name: the classes of some would load what commands use. */
function isExpected(error: unknown): error is Error {
  return error instanceof Error && ['EnvironmentError', 'Mistake', 'DumpError', 'CellMismatch'].includes(error.name)
}

function isUsageError(error: unknown): error is Error {
  return (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS_') ?? false
}

/** Node's first sentence, without its advice on positional arguments. */
function describeUsageError({ message }: Error): string {
  return `${message.split('. ')[0]!.replace(/\.$/, '')}. Run "tidegate help COMMAND" for the options of a command.`
}

/** Logs the error as one line, without a stack if the operator can fix it, then prints a message for the operator. */
async function reportFailure(error: Error): Promise<void> {
  const { advise } = await import('./commands/advise.ts')
  const advice = environment && advise(error, environment)
  createLogger('error', { format: environment?.TIDEGATE_LOG_FORMAT }).fatal(
    advice ? {} : { err: error },
    `tidegate failed: ${error.message}`,
  )
  console.error(advice ?? `Tidegate failed: ${error.message}`)
}
