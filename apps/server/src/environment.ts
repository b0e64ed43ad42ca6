import { CELL_PATTERN, DEFAULT_CELL, isAddressOrRange } from '@tidegate/contract'
import { isEgressEntry } from '@tidegate/providers'
import { isClickHouseUrl, readServers, type SecretSource } from '@tidegate/storage'
import { z } from 'zod'
import { defaultDataDirectory } from './data-directory.ts'
import { LOG_FORMATS } from './observability/logging.ts'
import { ROLE_NAMES } from './process/roles.ts'

/** The only place that reads the environment; other code gets values passed in. */
export function readEnvironment(): Environment {
  return parseEnvironment(process.env)
}

/** The value of `env:NAME` in a configuration file; undefined when it is not set. */
export function readVariable(name: string): string | undefined {
  return process.env[name]
}

/** Names the variable in which the supervisor describes a process that it starts. */
export const MEMBER_VARIABLE = 'TIDEGATE_FAMILY_MEMBER'

/** What a process of a family needs to know; undefined in a process without a supervisor. */
export function readFamilyMember(): FamilyMember | undefined {
  const text = process.env[MEMBER_VARIABLE]
  return text === undefined ? undefined : Member.parse(JSON.parse(text))
}

export type FamilyMember = z.output<typeof Member>
export type Environment = z.output<typeof Variables>

/** Where the root key comes from. If all are undefined, it is the key file in the data directory. */
export function secretSource(environment: Environment): SecretSource {
  return {
    secret: environment.TIDEGATE_SECRET,
    file: environment.TIDEGATE_SECRET_FILE,
    command: environment.TIDEGATE_SECRET_COMMAND,
  }
}

export function previousSecretSource(environment: Environment): SecretSource {
  return {
    secret: environment.TIDEGATE_SECRET_PREVIOUS,
    file: environment.TIDEGATE_SECRET_PREVIOUS_FILE,
    command: environment.TIDEGATE_SECRET_PREVIOUS_COMMAND,
  }
}

export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError'
}

/** Throws one error that lists all invalid variables. */
export function parseEnvironment(variables: Record<string, string | undefined>): Environment {
  // An empty variable is how a compose file says "not set".
  const present = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const parsed = Variables.safeParse(present)
  if (!parsed.success)
    throw new EnvironmentError(`The environment is invalid. Correct these variables:\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}

const Whole = z.coerce.number().int().nonnegative()
const Switch = z.stringbool()
const BaseUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
const AddressList = listOf('an address or range', isAddressOrRange)
const EgressList = listOf('a host name, wildcard, address or range', isEgressEntry)

const SECRET_SOURCES = ['', '_FILE', '_COMMAND'] as const

/** With two sources of one secret, it would be unclear which one applies. */
function checkOneSource(variables: object, context: z.RefinementCtx): void {
  for (const name of ['TIDEGATE_SECRET', 'TIDEGATE_SECRET_PREVIOUS']) {
    const set = SECRET_SOURCES.map((ending) => name + ending).filter(
      (variable) => (variables as Record<string, unknown>)[variable] !== undefined,
    )
    if (set.length > 1) context.addIssue({ code: 'custom', message: `set only one of ${set.join(', ')}` })
  }
}

function checkDatabaseUrl(url: string, context: z.RefinementCtx): void {
  try {
    readServers(url)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
  }
}

const Fields = z.object({
  PORT: Whole.max(65_535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  /** The cell of this database, in new API tokens, request IDs and process names. It must be the same for all processes. */
  TIDEGATE_CELL: z
    .string()
    .regex(CELL_PATTERN, 'two characters of 0-9 and a-z without i, l, o and u')
    .default(DEFAULT_CELL),
  /** A PostgreSQL server, or several of which one takes writes: `postgres://a,b/name`. Without it Tidegate runs an embedded one in the data directory. */
  DATABASE_URL: z.string().superRefine(checkDatabaseUrl).optional(),
  /** ClickHouse for log rows, such as `clickhouse://user:password@host:8123/tidegate`; `clickhouses:` uses TLS. Without it they are in PostgreSQL. */
  TIDEGATE_LOG_STORE: z
    .string()
    .refine(isClickHouseUrl, 'an address like clickhouse://user:password@host:8123/tidegate')
    .optional(),
  /** Maximum size of log rows in PostgreSQL that ClickHouse does not have yet. */
  TIDEGATE_LOG_OUTBOX_MB: Whole.min(1).default(2048),
  /** When that is reached: `spill` writes rows to the table of PostgreSQL and moves them later; `reject` rejects new requests. */
  TIDEGATE_LOG_OUTBOX_FULL: z.enum(['spill', 'reject']).default('spill'),
  /** Redis or Valkey for rate limits shared between nodes. Without it each process counts separately. */
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  TIDEGATE_REDIS_PREFIX: z.string().default('tidegate:'),
  TIDEGATE_DATA_DIR: z.string().default(() => defaultDataDirectory()),
  /** Root key that encrypts stored secrets. Without it a key file is created in the data directory. */
  TIDEGATE_SECRET: z.string().min(32, 'at least 32 characters').optional(),
  /** A file with the secret instead, such as one that an orchestrator mounts. */
  TIDEGATE_SECRET_FILE: z.string().optional(),
  /** A shell command that prints the secret instead, such as the client of a KMS or secret manager. */
  TIDEGATE_SECRET_COMMAND: z.string().optional(),
  /** The previous secret, until `tidegate secrets rewrap` has run; also from a file or a command. */
  TIDEGATE_SECRET_PREVIOUS: z.string().min(32, 'at least 32 characters').optional(),
  TIDEGATE_SECRET_PREVIOUS_FILE: z.string().optional(),
  TIDEGATE_SECRET_PREVIOUS_COMMAND: z.string().optional(),
  /** Passphrase of secrets in configuration files and of backups, unless `--passphrase-file` is given. */
  TIDEGATE_CONFIG_PASSPHRASE: z.string().min(8, 'at least 8 characters').optional(),
  /** `auto` migrates the schema at start; `off` leaves that to `tidegate migrate`. */
  TIDEGATE_MIGRATE: z.enum(['auto', 'off']).default('auto'),
  /** Connections of a process. By default 10; in a family of processes 4 for a gateway and a worker. */
  TIDEGATE_DATABASE_POOL: Whole.min(2).optional(),
  /** Gateway processes that share the port; 1 runs every role in one process. By default one per core that memory allows. */
  TIDEGATE_PROCESSES: Whole.min(1).max(64).optional(),
  /** Which process opens the port: the supervisor, or each gateway for itself. */
  TIDEGATE_LISTEN: z.enum(['supervisor', 'reuseport']).default('supervisor'),
  /** Set by systemd for a unit of `Type=notify`, which then learns when the site serves, reloads and stops. */
  NOTIFY_SOCKET: z.string().optional(),
  TIDEGATE_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** `auto` logs readable lines to a terminal and JSON to everything else. */
  TIDEGATE_LOG_FORMAT: z.enum(LOG_FORMATS).default('auto'),
  /** Writes client addresses into the access log. They are personal data in many countries. */
  TIDEGATE_LOG_CLIENT_ADDRESS: Switch.default(false),
  /** Proxies whose forwarding headers are trusted: addresses and ranges, separated by commas. */
  TIDEGATE_TRUSTED_PROXIES: AddressList.optional(),
  /** Allows channels with loopback and private addresses, such as a model server on this machine. */
  TIDEGATE_ALLOW_PRIVATE_UPSTREAMS: Switch.default(false),
  /** Allows files and webhooks of users on private addresses and any port: for tests only. */
  TIDEGATE_ALLOW_PRIVATE_FETCHES: Switch.default(false),
  /** The only hosts this process connects to, besides its database and Redis: names, `*.` wildcards, addresses and ranges, separated by commas. */
  TIDEGATE_EGRESS_ALLOW: EgressList.optional(),
  /** Maximum size of a file that is downloaded for a user. */
  MAX_FILE_DOWNLOAD_MB: Whole.min(1).default(20),
  /** Seconds to the first content of an upstream before the next channel is tried. */
  TIDEGATE_FIRST_TOKEN_TIMEOUT: Whole.min(1).default(120),
  /** Maximum seconds between two events of an upstream stream. */
  STREAMING_TIMEOUT: Whole.min(1).default(60),
  /** Seconds for an upstream response that is not streamed; 0 means ten minutes. */
  RELAY_TIMEOUT: Whole.default(0),
  /** Bearer token of `/metrics`. Without it the endpoint does not exist. */
  TIDEGATE_METRICS_TOKEN: z.string().min(16, 'at least 16 characters').optional(),
  /** Base URL of an OTLP/HTTP collector, without `/v1/traces`. Without it no traces are made. */
  OTEL_EXPORTER_OTLP_ENDPOINT: BaseUrl.optional(),
  /** `group` syncs the journal to disk within 10 ms; `always` makes each response wait for its sync. */
  TIDEGATE_JOURNAL_SYNC: z.enum(['group', 'always']).default('group'),
  /** Maximum size of settlements that are not in the database yet; above it new requests are rejected. */
  TIDEGATE_JOURNAL_LIMIT_MB: Whole.min(1).default(256),
  /** How long settlements stay in the journal after the database has them: a failover may lose them again. */
  TIDEGATE_JOURNAL_KEEP_SECONDS: Whole.max(86_400).default(300),
  /** How long a gateway serves known callers from leased credit while the database does not respond. */
  TIDEGATE_OUTAGE_SECONDS: Whole.min(60).max(86_400).default(600),
  /** `on` forwards plain chats without parsing them; `off` sends every request over the general path. */
  TIDEGATE_FAST_PATH: z.enum(['on', 'off']).default('on'),
  /** How long a graceful shutdown waits for open streams. */
  TIDEGATE_DRAIN_SECONDS: Whole.default(30),
  GLOBAL_API_RATE_LIMIT_ENABLE: Switch.default(true),
  GLOBAL_API_RATE_LIMIT: Whole.default(180),
  GLOBAL_API_RATE_LIMIT_DURATION: Whole.default(180),
  /** How often a user gets the same notification, such as of a low balance, per period; 0 sets no limit. */
  NOTIFY_LIMIT_COUNT: Whole.default(2),
  NOTIFICATION_LIMIT_DURATION_MINUTE: Whole.min(1).default(10),
  /** Minutes between tests of all channels, and between updates of their balances; 0 means only by hand. */
  CHANNEL_TEST_FREQUENCY: Whole.default(0),
  CHANNEL_UPDATE_FREQUENCY: Whole.default(0),
  /** Creates an unlimited API token for each new user. */
  GENERATE_DEFAULT_TOKEN: Switch.default(false),
  /** Where Turnstile tokens are verified, for sites that reach Cloudflare through a relay. */
  TIDEGATE_TURNSTILE_VERIFY_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://challenges.cloudflare.com/turnstile/v0/siteverify'),
  /** GitHub for sign-in, for an enterprise server or a relay. The API has its own URL. */
  TIDEGATE_GITHUB_URL: BaseUrl.default('https://github.com'),
  TIDEGATE_GITHUB_API_URL: BaseUrl.default('https://api.github.com'),
  TIDEGATE_LINUXDO_URL: BaseUrl.default('https://connect.linux.do'),
  TIDEGATE_STRIPE_URL: BaseUrl.default('https://api.stripe.com'),
})

const Member = z.object({
  /** Stays the same when the process is replaced. */
  slot: z.string(),
  roles: z.array(z.enum(ROLE_NAMES)),
  /** Where control listens, and where gateways forward console requests to; missing in a family of gateways only. */
  controlSocket: z.string().optional(),
  poolSize: z.int(),
  /** How often a gateway settles its journal. */
  settleIntervalMs: z.number(),
  /** Database connections of the whole family, on the one process that compares them with the server's limit. */
  connectionSum: z.int().optional(),
  /** Another process serves in the slot, and holds its credit leases. */
  isReplacement: z.boolean().optional(),
})

const Variables = Fields.superRefine(checkOneSource)

/** A list separated by commas; reports entries that `isEntry` rejects. */
function listOf(name: string, isEntry: (entry: string) => boolean) {
  return z.string().transform((text, context) => {
    const entries = text.split(',').map((entry) => entry.trim())
    const wrong = entries.filter((entry) => !isEntry(entry))
    if (wrong.length > 0) context.addIssue({ code: 'custom', message: `not ${name}: ${wrong.join(', ')}` })
    return entries
  })
}
