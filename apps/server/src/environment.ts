import { isAddressOrRange } from '@tidegate/contract'
import { isEgressEntry } from '@tidegate/providers'
import type { SecretSource } from '@tidegate/storage'
import { z } from 'zod'
import { defaultDataDirectory } from './data-directory.ts'
import { LOG_FORMATS } from './observability/logging.ts'

/** The only place that reads the environment; everything else is handed what it needs. */
export function readEnvironment(): Environment {
  return parseEnvironment(process.env)
}

/** What a configuration file means by `env:NAME`; undefined when it is not set. */
export function readVariable(name: string): string | undefined {
  return process.env[name]
}

export type Environment = z.output<typeof Variables>

/** Where the root key comes from. Undefined texts mean the key file in the data directory. */
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

/** Lists everything that is wrong in one message, by the name of the variable. */
export function parseEnvironment(variables: Record<string, string | undefined>): Environment {
  // An empty variable is how a compose file says "not set".
  const present = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const parsed = Variables.safeParse(present)
  if (!parsed.success) throw new EnvironmentError(`The environment is not usable:\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}

const Whole = z.coerce.number().int().nonnegative()
const Switch = z.stringbool()
const BaseUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
const AddressList = listOf('an address or range', isAddressOrRange)
const EgressList = listOf('a host name, wildcard, address or range', isEgressEntry)

const SECRET_SOURCES = ['', '_FILE', '_COMMAND'] as const

/** Two sources of one secret would leave open which one counts. */
function checkOneSource(variables: object, context: z.RefinementCtx): void {
  for (const name of ['TIDEGATE_SECRET', 'TIDEGATE_SECRET_PREVIOUS']) {
    const set = SECRET_SOURCES.map((ending) => name + ending).filter(
      (variable) => (variables as Record<string, unknown>)[variable] !== undefined,
    )
    if (set.length > 1) context.addIssue({ code: 'custom', message: `set only one of ${set.join(', ')}` })
  }
}

const Fields = z.object({
  PORT: Whole.max(65_535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  /** A PostgreSQL server; without it Tidegate runs its own under the data directory. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Redis or Valkey for limits shared between nodes; without it each process counts for itself. */
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  TIDEGATE_REDIS_PREFIX: z.string().default('tidegate:'),
  TIDEGATE_DATA_DIR: z.string().default(() => defaultDataDirectory()),
  /** Seals secrets at rest; without it a key file is made in the data directory. */
  TIDEGATE_SECRET: z.string().min(32, 'at least 32 characters').optional(),
  /** A file that holds the secret instead, such as a mounted one of an orchestrator. */
  TIDEGATE_SECRET_FILE: z.string().optional(),
  /** A shell command that prints the secret instead, such as that of a KMS or a secret manager. */
  TIDEGATE_SECRET_COMMAND: z.string().optional(),
  /** The secret before this one, until `tidegate secrets rewrap` has run; also from a file or a command. */
  TIDEGATE_SECRET_PREVIOUS: z.string().min(32, 'at least 32 characters').optional(),
  TIDEGATE_SECRET_PREVIOUS_FILE: z.string().optional(),
  TIDEGATE_SECRET_PREVIOUS_COMMAND: z.string().optional(),
  /** Seals and opens the secrets in a configuration file, where no file is named that holds the passphrase. */
  TIDEGATE_CONFIG_PASSPHRASE: z.string().min(8, 'at least 8 characters').optional(),
  /** `auto` brings the schema up to date at start; `off` leaves that to `tidegate migrate`. */
  TIDEGATE_MIGRATE: z.enum(['auto', 'off']).default('auto'),
  TIDEGATE_DATABASE_POOL: Whole.min(2).default(10),
  TIDEGATE_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** `auto` logs readable lines to a terminal and JSON to everything else. */
  TIDEGATE_LOG_FORMAT: z.enum(LOG_FORMATS).default('auto'),
  /** Writes the address of the client into the access log; personal data in many countries. */
  TIDEGATE_LOG_CLIENT_ADDRESS: Switch.default(false),
  /** Proxies whose forwarding headers are believed: addresses and ranges, separated by commas. */
  TIDEGATE_TRUSTED_PROXIES: AddressList.optional(),
  /** Lets channels point at loopback and private addresses, such as a model server on this machine. */
  TIDEGATE_ALLOW_PRIVATE_UPSTREAMS: Switch.default(false),
  /** Lets files and webhooks that users point to be on private addresses, on any port: for tests only. */
  TIDEGATE_ALLOW_PRIVATE_FETCHES: Switch.default(false),
  /** The only hosts this process connects to, besides its database and Redis: names, `*.` wildcards, addresses and ranges, separated by commas. */
  TIDEGATE_EGRESS_ALLOW: EgressList.optional(),
  /** The most that is fetched for a user, in megabytes. */
  MAX_FILE_DOWNLOAD_MB: Whole.min(1).default(20),
  /** Seconds an upstream has for its first real event before the next channel is tried. */
  TIDEGATE_FIRST_TOKEN_TIMEOUT: Whole.min(1).default(120),
  /** The longest silence of an upstream within a stream, in seconds. */
  STREAMING_TIMEOUT: Whole.min(1).default(60),
  /** Seconds an upstream has for an answer in one piece; 0 means ten minutes. */
  RELAY_TIMEOUT: Whole.default(0),
  /** Opens `/metrics` to whoever sends it as a bearer token; without it there is no such page. */
  TIDEGATE_METRICS_TOKEN: z.string().min(16, 'at least 16 characters').optional(),
  /** Where a collector takes traces by OTLP over HTTP, without `/v1/traces`; without it none are made. */
  OTEL_EXPORTER_OTLP_ENDPOINT: BaseUrl.optional(),
  /** `group` syncs receipts to the disk within 10 ms; `always` makes each answer wait for its sync. */
  TIDEGATE_JOURNAL_SYNC: z.enum(['group', 'always']).default('group'),
  /** Receipts the database has not taken may fill this much; then new calls are refused. */
  TIDEGATE_JOURNAL_LIMIT_MB: Whole.min(1).default(256),
  /** How long a stop waits for open streams. */
  TIDEGATE_DRAIN_SECONDS: Whole.default(30),
  GLOBAL_API_RATE_LIMIT_ENABLE: Switch.default(true),
  GLOBAL_API_RATE_LIMIT: Whole.default(180),
  GLOBAL_API_RATE_LIMIT_DURATION: Whole.default(180),
  /** How often a user is told the same thing, such as of a low balance, within some minutes; 0 sets no limit. */
  NOTIFY_LIMIT_COUNT: Whole.default(2),
  NOTIFICATION_LIMIT_DURATION_MINUTE: Whole.min(1).default(10),
  /** How often all channels are tested, and asked for their balance, in minutes; 0 means only when somebody says so. */
  CHANNEL_TEST_FREQUENCY: Whole.default(0),
  CHANNEL_UPDATE_FREQUENCY: Whole.default(0),
  /** Gives whoever registers an API token without limits. */
  GENERATE_DEFAULT_TOKEN: Switch.default(false),
  /** Where tokens of the human check are verified, for sites that reach Cloudflare through a relay. */
  TIDEGATE_TURNSTILE_VERIFY_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://challenges.cloudflare.com/turnstile/v0/siteverify'),
  /** GitHub as people sign in with it, for an enterprise server or a relay; the API is at an address of its own. */
  TIDEGATE_GITHUB_URL: BaseUrl.default('https://github.com'),
  TIDEGATE_GITHUB_API_URL: BaseUrl.default('https://api.github.com'),
  TIDEGATE_LINUXDO_URL: BaseUrl.default('https://connect.linux.do'),
  TIDEGATE_STRIPE_URL: BaseUrl.default('https://api.stripe.com'),
})

const Variables = Fields.superRefine(checkOneSource)

/** Entries between commas, each of which must be what it is called. */
function listOf(name: string, isEntry: (entry: string) => boolean) {
  return z.string().transform((text, context) => {
    const entries = text.split(',').map((entry) => entry.trim())
    const wrong = entries.filter((entry) => !isEntry(entry))
    if (wrong.length > 0) context.addIssue({ code: 'custom', message: `not ${name}: ${wrong.join(', ')}` })
    return entries
  })
}
