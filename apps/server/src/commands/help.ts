import { VERSION } from '../version.ts'

export interface CommandHelp {
  summary: string
  usage: readonly string[]
  /** Each option with its meaning. */
  options?: readonly (readonly [option: string, meaning: string])[]
  notes?: string
}

const PASSPHRASE_FILE = [
  '--passphrase-file FILE',
  'read the passphrase from FILE; or set TIDEGATE_CONFIG_PASSPHRASE',
] as const

/** Every command. `docs/reference/cli.md` is generated from this table. */
export const COMMANDS: Readonly<Record<string, CommandHelp>> = {
  start: {
    summary: 'serve; with several cores in several processes',
    usage: ['tidegate start [--role gateway,control,worker]'],
    options: [['--role ROLES', 'run only these roles, separated by commas, in one process']],
    notes: `The port is PORT (3000 by default). Without DATABASE_URL an embedded PostgreSQL runs in the data directory.
TIDEGATE_PROCESSES sets the number of gateway processes; 1 runs everything in one process.
Press Ctrl-C to shut down gracefully: open streams finish first. Press it again to exit immediately.`,
  },
  reload: {
    summary: 'replace the processes of a running site one by one',
    usage: ['tidegate reload'],
    notes: `Use it after an upgrade of the program. No stream is cut: a process leaves when its requests have ended.
It needs several processes; restart a site that runs in one process.`,
  },
  migrate: {
    summary: 'bring the database schema up to date',
    usage: ['tidegate migrate'],
    notes: 'tidegate start also does this, unless TIDEGATE_MIGRATE is off.',
  },
  doctor: {
    summary: 'check database, Redis, data directory and clock',
    usage: ['tidegate doctor [--site]'],
    options: [['--site', 'also check the running processes: gateways, worker, leases, digests, partitions, channels']],
    notes: 'The exit code is 1 when a check fails.',
  },
  verify: {
    summary: 'check balances, ledger, audit trail or a backup',
    usage: [
      'tidegate verify [--against FILE]',
      'tidegate verify --digest',
      'tidegate verify --backup FILE',
      'tidegate verify --repair-log',
    ],
    options: [
      ['--against FILE', 'also compare the hash chains with digests that you stored in FILE'],
      ['--digest', 'print the signed daily digests of the hash chains'],
      ['--backup FILE', 'check that a backup file is complete and unchanged'],
      ['--repair-log', 'send log rows again that ClickHouse has lost, as long as the outbox keeps them'],
      PASSPHRASE_FILE,
    ],
    notes: 'The exit code is 1 when a difference is found.',
  },
  audit: {
    summary: 'export sealed audit events as JSON lines',
    usage: ['tidegate audit export [--from DAY] [--to DAY] [--format jsonl] [--output FILE]'],
    options: [
      ['--from DAY', 'first day or time to export'],
      ['--to DAY', 'first day or time that is not exported'],
      ['--format jsonl', 'the only format'],
      ['--output FILE', 'write to FILE instead of standard output'],
    ],
  },
  backup: {
    summary: 'save the whole site in one encrypted file while it serves',
    usage: ['tidegate backup FILE [--without-logs] [--passphrase] [--with-key] [--plain]'],
    options: [
      ['--without-logs', 'leave out usage log rows'],
      ['--passphrase', 'encrypt with TIDEGATE_CONFIG_PASSPHRASE instead of the key of the installation'],
      PASSPHRASE_FILE,
      ['--with-key', 'include the key of the installation; needs a passphrase'],
      ['--plain', 'do not encrypt'],
    ],
    notes: 'FILE may be - for standard output.',
  },
  restore: {
    summary: 'load a backup into this installation, completely or not at all',
    usage: ['tidegate restore FILE [--replace]'],
    options: [['--replace', 'delete the data of the site that is there'], PASSPHRASE_FILE],
    notes: 'FILE may be - for standard input. Stop every process of the site first.',
  },
  drill: {
    summary: 'restore a backup into a temporary database and verify it',
    usage: ['tidegate drill restore FILE [--to URL]'],
    options: [['--to URL', 'restore into this empty PostgreSQL, and leave the data there'], PASSPHRASE_FILE],
    notes: `FILE may be a directory: its newest file that ends in .backup is used.
Without --to, an embedded PostgreSQL runs in the directory for temporary files. The site is not touched.`,
  },
  move: {
    summary: 'copy the site to another PostgreSQL and compare every account',
    usage: ['tidegate move --to postgres://user:password@host/database [--replace]'],
    options: [
      ['--to URL', 'the PostgreSQL to move to'],
      ['--replace', 'delete the data of a site that is there'],
    ],
    notes: 'Stop every process of the site first. Set DATABASE_URL to the new address afterwards.',
  },
  logs: {
    summary: 'move log rows between PostgreSQL and ClickHouse',
    usage: ['tidegate logs move --to clickhouse', 'tidegate logs move --to postgres'],
    options: [['--to STORE', 'where the rows of requests go: clickhouse or postgres']],
    notes:
      'Set TIDEGATE_LOG_STORE first. The site may serve meanwhile. An interrupted run continues when you repeat it.',
  },
  secrets: {
    summary: 'show and rotate the keys of stored secrets',
    usage: [
      'tidegate secrets status',
      'tidegate secrets rotate [--settle-seconds 10]',
      'tidegate secrets retire ID',
      'tidegate secrets rewrap',
    ],
    options: [
      ['status', 'list the keys, and how many secrets each one encrypts'],
      ['rotate', 'encrypt all secrets with a new key while the site serves; can be resumed'],
      ['--settle-seconds N', 'wait N seconds until all processes know the new key'],
      ['retire ID', 'delete an old key that no longer encrypts anything'],
      ['rewrap', 'encrypt the keys with a new root key'],
    ],
  },
  import: {
    summary: 'import from another product; only a report without --yes',
    usage: ['tidegate import --from DATABASE [--yes] [--logs]'],
    options: [
      ['--from DATABASE', 'sqlite:FILE, mysql://…, user:password@tcp(host:3306)/name, postgres://… or litellm:FILE'],
      ['--product NAME', 'one-api, new-api or veloera; detected by default'],
      ['--source NAME', 'a name for this source, when you import from several'],
      ['--yes', 'import; without it the command only reports what it would import'],
      ['--dry-run', 'only report, also with --yes'],
      ['--logs', 'also import usage logs'],
      ['--since DAY', 'import usage logs from this day on'],
      ['--skip-clashes', 'import the rest when some rows conflict with existing ones'],
      ['--json', 'print the report as JSON'],
    ],
  },
  export: {
    summary: 'write everything that a user owns into files',
    usage: ['tidegate export --user NAME --output DIR', 'tidegate export --all --output DIR'],
    options: [
      ['--user NAME', 'export this user'],
      ['--all', 'export all users'],
      ['--output DIR', 'the directory to write to'],
      ['--format json|csv', 'json by default'],
      ['--secrets', 'include API tokens in clear text'],
    ],
  },
  config: {
    summary: 'export, compare or apply the configuration as a YAML file',
    usage: [
      'tidegate config export [--output FILE] [--secrets]',
      'tidegate config diff FILE [--prune]',
      'tidegate config apply FILE [--prune] [--yes]',
    ],
    options: [
      ['--output FILE', 'write to FILE instead of standard output'],
      ['--secrets', 'include secrets, encrypted with the passphrase'],
      PASSPHRASE_FILE,
      ['--prune', 'remove channels that the file does not name'],
      ['--yes', 'do not ask for confirmation'],
    ],
    notes: 'The exit code of diff is 2 when the file would change something.',
  },
  help: { summary: 'show the help of a command', usage: ['tidegate help [COMMAND]'] },
  version: { summary: 'print the version', usage: ['tidegate version', 'tidegate --version', 'tidegate -v'] },
}

/** Help for one command, or the list of commands. Undefined for an unknown command. */
export function helpFor(command?: string): string | undefined {
  if (command === undefined) return overview()
  const help = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  return help && describe(help)
}

function overview(): string {
  return `tidegate ${VERSION}

Usage: tidegate COMMAND [options]

${columns(Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary]))}

Run "tidegate help COMMAND" for the options of a command.
Settings are environment variables. A running server has the documentation at /docs; /docs/reference/environment lists
the variables.`
}

function describe({ summary, usage, options, notes }: CommandHelp): string {
  const parts = [usage.join('\n'), `  ${summary[0]!.toUpperCase()}${summary.slice(1)}.`]
  if (options) parts.push(columns(options))
  if (notes) parts.push(notes)
  return parts.join('\n\n')
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
