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
import { importCommand, IMPORT_OPTIONS } from './commands/import.ts'
import { migrate } from './commands/migrate.ts'
import { Mistake } from './commands/mistake.ts'
import { move } from './commands/move.ts'
import { restore } from './commands/restore.ts'
import { secrets, SECRETS_OPTIONS } from './commands/secrets.ts'
import { start } from './commands/start.ts'
import { verify, VERIFY_OPTIONS } from './commands/verify.ts'
import { EnvironmentError, readEnvironment, type Environment } from './environment.ts'
import { createLogger } from './logging.ts'
import { VERSION } from './version.ts'

const HELP = `tidegate ${VERSION}

  tidegate start [--role gateway,control,worker]   serve; every role in one process by default
  tidegate migrate                                 bring the database schema up to date
  tidegate doctor                                  check database, Redis, data directory, clock
  tidegate verify [--against FILE]                 check balances, bills, ledger entries, audit events and their
                                                   hash chains; FILE holds digests that you kept elsewhere
  tidegate verify --digest                         print the signed daily digests of the chains
  tidegate audit export [--from DAY] [--to DAY] [--format jsonl] [--output FILE]
                                                   write sealed audit events as JSON lines; --to is not included
  tidegate backup FILE [--without-logs] [--passphrase] [--with-key] [--plain]
                                                   save the whole site in one encrypted file, while it serves; - for a pipe.
                                                   With the key of the installation; --passphrase instead of it, --with-key
                                                   also puts that key in, --plain does not encrypt
  tidegate verify --backup FILE                    check that a backup file is complete and was not changed
  tidegate restore FILE [--replace]                make this installation what the file says, all of it or nothing
  tidegate move --to postgres://… [--replace]      carry the site to another PostgreSQL, to the unit
                                                   passphrases: --passphrase-file FILE or TIDEGATE_CONFIG_PASSPHRASE
  tidegate secrets status                          list the keys of stored secrets, and how much each encrypts
  tidegate secrets rotate [--settle-seconds 10]    encrypt all secrets with a new key, while the site serves; can be resumed
  tidegate secrets retire ID                       forget an old key once nothing is encrypted with it
  tidegate secrets rewrap                          encrypt the keys with a new root key; see docs/security.md
  tidegate import --from DATABASE [--yes]          move in from another product; without --yes only says what would come
  tidegate export --user NAME --output DIR         write everything a user owns into files; --all for everybody
  tidegate config export [--output FILE] [--secrets]
                                                   write options, virtual models and channels as one YAML file
  tidegate config diff FILE [--prune]              say what a file would change; exit code 2 when it is anything
  tidegate config apply FILE [--prune] [--yes]     change it; --prune also removes channels the file does not name
                                                   sealed secrets: --passphrase-file FILE or TIDEGATE_CONFIG_PASSPHRASE
  tidegate version

Settings come from the environment; docs/operating.md lists them.`

/** Known once it could be read, for whoever explains what went wrong. */
let environment: Environment | undefined

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      role: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      ...CONFIG_OPTIONS,
      ...COPY_OPTIONS,
      ...IMPORT_OPTIONS,
      ...EXPORT_OPTIONS,
      ...VERIFY_OPTIONS,
      ...SECRETS_OPTIONS,
    },
  })
  const [command = 'help'] = positionals
  if (values.help || command === 'help') return say(HELP)
  if (command === 'version') return say(VERSION)

  environment = readEnvironment()
  limitEgress(environment.TIDEGATE_EGRESS_ALLOW)
  const log = createLogger(environment.TIDEGATE_LOG_LEVEL)
  // What the other commands find out is printed for a person; their log is for what goes wrong underneath.
  const quiet = createLogger('error')
  switch (command) {
    case 'start':
      await start(environment, log, values)
      return 0
    case 'migrate':
      await migrate(environment, quiet)
      return 0
    case 'doctor':
      return doctor(environment, quiet)
    case 'verify':
      return verify(environment, quiet, values)
    case 'backup':
      return backup(environment, quiet, { words: positionals.slice(1), ...values })
    case 'restore':
      return restore(environment, quiet, { words: positionals.slice(1), ...values })
    case 'move':
      return move(environment, quiet, { words: positionals.slice(1), ...values })
    case 'secrets':
      return secrets(environment, quiet, { words: positionals.slice(1), ...values })
    case 'import':
      return importCommand(environment, quiet, values)
    case 'audit':
      return audit(environment, quiet, { words: positionals.slice(1), ...values })
    case 'export':
      return exportCommand(environment, quiet, values)
    case 'config':
      return config(environment, quiet, { words: positionals.slice(1), ...values })
    default:
      console.error(`There is no command ${command}.\n\n${HELP}`)
      return 2
  }
}

function say(text: string): number {
  console.log(text)
  return 0
}

try {
  process.exitCode = await main()
} catch (error) {
  const expected =
    [EnvironmentError, Mistake, DumpError].some((kind) => error instanceof kind) ||
    (error as { code?: string }).code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
  if (expected) console.error((error as Error).message)
  else reportTrouble(error as Error)
  process.exitCode = 1
}

/** A line for machines with all there is to know, and the last word for a person; what they can mend needs no stack. */
function reportTrouble(error: Error): void {
  const advice = environment && advise(error, environment)
  createLogger('error').fatal(advice ? {} : { err: error }, `tidegate could not go on: ${error.message}`)
  console.error(advice ?? `Tidegate could not go on: ${error.message}`)
}
