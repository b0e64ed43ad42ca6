import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { pageFields, pageOf, readPage, UNIFORM_PAGING } from '../../paging.ts'
import { Id, IsoTime, OptionalInteger, OptionalText, text } from '../../values.ts'

export const EXPORT_KINDS = ['otlp', 'langfuse', 's3', 'webhook'] as const
export type ExportKind = (typeof EXPORT_KINDS)[number]

export const EXPORT_SIGNALS = ['traces', 'metrics', 'logs'] as const
export type ExportSignal = (typeof EXPORT_SIGNALS)[number]

/** How many destinations a user can have, and the site. */
export const MAX_EXPORTS = { user: 3, site: 20 } as const

/** What is sent, and how. Fields of other kinds are ignored. */
export const ExportOptions = z.object({
  /** Signals of an OTLP destination. */
  signals: z.array(z.enum(EXPORT_SIGNALS)).min(1).default(['traces']),
  /** Also sends requests that failed. */
  include_failed: z.boolean().default(true),
  /** Also sends prompts and responses of requests whose content is stored. */
  include_content: z.boolean().default(false),
  /** S3 only. */
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .default('us-east-1'),
  bucket: z
    .string()
    .regex(/^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])?$/)
    .default(''),
  /** Objects are named `<prefix>2026-11-19/<delivery>.jsonl.gz`. */
  prefix: z
    .string()
    .max(200)
    .regex(/^[\w./-]*$/)
    .default(''),
  /** The bucket is part of the path, as MinIO needs it, instead of the host name. */
  path_style: z.boolean().default(true),
})
export type ExportOptions = z.output<typeof ExportOptions>

/** Printable ASCII, because it is sent in headers. */
const Secret = z
  .string()
  .max(512)
  .regex(/^[\x21-\x7e]*$/)
  .default('')

/** Credentials. They are stored encrypted and never returned. */
export const ExportSecrets = z.object({
  /** Request headers of an OTLP destination, one `Name: value` per line. */
  headers: z.string().max(4096).default(''),
  /** Langfuse. */
  public_key: Secret,
  secret_key: Secret,
  /** S3. */
  access_key_id: Secret,
  secret_access_key: Secret,
  /** Signs webhooks. */
  secret: Secret,
})
export type ExportSecrets = z.output<typeof ExportSecrets>

const fields = {
  name: text({ min: 1, max: 60 }),
  enabled: z.boolean().default(true),
  /** The base URL: of the OTLP endpoint, of Langfuse, of the S3 service, or the URL of the webhook. */
  url: z.string().max(2048),
  options: ExportOptions.prefault({}),
}

export const NewExport = z.object({
  kind: z.enum(EXPORT_KINDS),
  ...fields,
  secrets: ExportSecrets.prefault({}),
})
export type NewExport = z.output<typeof NewExport>

/** Without `secrets`, the stored ones stay. They must be entered again when the host changes. */
export const ExportChange = z.object({ ...fields, secrets: ExportSecrets.optional() })
export type ExportChange = z.output<typeof ExportChange>

export const ExportDestination = z.object({
  id: Id,
  kind: z.enum(EXPORT_KINDS),
  name: z.string(),
  enabled: z.boolean(),
  url: z.string(),
  options: ExportOptions,
  /** Names of the stored credentials. */
  secrets: z.array(z.string()),
  /** `failing`: the last attempt failed. */
  state: z.enum(['ok', 'failing', 'disabled']),
  /** Deliveries that wait or are being sent, and those that failed finally. */
  open: z.int(),
  failed: z.int(),
  /** Age of the oldest request that waits for delivery. */
  lag_seconds: z.int(),
  /** Why the last attempt failed; blank after a success. */
  last_error: z.string(),
  last_success_at: IsoTime.nullable(),
  /** When the next attempt is made after a failure. */
  retry_at: IsoTime.nullable(),
  created_at: IsoTime,
})
export type ExportDestination = z.output<typeof ExportDestination>

const ExportList = z.object({
  items: z.array(ExportDestination),
  limit: z.int(),
  /** Whether requests are exported at all: an option can turn exports of users off. */
  active: z.boolean(),
  /** Requests that are not logged cannot be exported: served ones, and failed ones. */
  logs_served: z.boolean(),
  logs_failed: z.boolean(),
})
export type ExportList = z.output<typeof ExportList>

export const EXPORT_STATES = ['pending', 'sending', 'delivered', 'failed'] as const

/** A batch of requests for one destination. */
export const ExportDelivery = z.object({
  id: Id,
  destination_id: Id,
  state: z.enum(EXPORT_STATES),
  records: z.int(),
  /** Records that the receiver did not accept, although it accepted the others. */
  rejected: z.int(),
  /** Times of the oldest and the newest request. */
  first_time: IsoTime,
  last_time: IsoTime,
  bytes: z.int(),
  attempts: z.int(),
  error: z.string(),
  response_status: z.int().nullable(),
  response_body: z.string(),
  created_at: IsoTime,
  next_attempt_at: IsoTime.nullable(),
  finished_at: IsoTime.nullable(),
})
export type ExportDelivery = z.output<typeof ExportDelivery>

/** The result of a test: what the receiver returned. */
const ExportTest = z.object({
  delivered: z.boolean(),
  error: z.string(),
  response_status: z.int().nullable(),
  response_body: z.string(),
})
export type ExportTest = z.output<typeof ExportTest>

const deliveryQuery = z
  .object({ destination: OptionalInteger, state: OptionalText, ...pageFields(UNIFORM_PAGING) })
  .partial()
  .transform((query) => ({
    destination: query.destination,
    state: EXPORT_STATES.find((state) => state === query.state),
    page: readPage(query, UNIFORM_PAGING),
  }))

const OWN = { access: 'user' } as const
const SITE = { access: 'root' } as const
const CHECKED = ['export_url_invalid', 'export_fields_missing', 'export_headers_invalid', 'egress_not_allowed'] as const

export const listExports = endpoint({
  method: 'GET',
  path: '/api/export',
  ...SITE,
  summary: 'Lists the export destinations of the site and their state.',
  reply: ExportList,
  errors: [],
})

export const createExport = endpoint({
  method: 'POST',
  path: '/api/export',
  ...SITE,
  summary: 'Adds an export destination of the site. It receives requests of all users from now on.',
  body: NewExport,
  reply: ExportDestination,
  errors: ['export_limit', ...CHECKED],
})

export const updateExport = endpoint({
  method: 'PUT',
  path: '/api/export/{id}',
  ...SITE,
  summary: 'Changes an export destination of the site.',
  body: ExportChange,
  reply: ExportDestination,
  errors: ['export_not_found', 'export_secrets_needed', ...CHECKED],
})

export const deleteExport = endpoint({
  method: 'DELETE',
  path: '/api/export/{id}',
  ...SITE,
  summary: 'Deletes an export destination of the site and its deliveries.',
  reply: z.undefined(),
  errors: ['export_not_found'],
})

export const testExport = endpoint({
  method: 'POST',
  path: '/api/export/{id}/test',
  ...SITE,
  summary: 'Sends an example request to an export destination of the site and returns the result.',
  reply: ExportTest,
  errors: ['export_not_found'],
})

export const listExportDeliveries = endpoint({
  method: 'GET',
  path: '/api/export/deliveries',
  ...SITE,
  summary: 'Lists the deliveries of the export destinations of the site, newest first.',
  query: deliveryQuery,
  reply: pageOf(ExportDelivery),
  errors: [],
})

export const retryExportDelivery = endpoint({
  method: 'POST',
  path: '/api/export/deliveries/{id}/retry',
  ...SITE,
  summary: 'Sends a failed delivery of the site again.',
  reply: z.undefined(),
  errors: ['export_delivery_not_found', 'export_delivery_not_failed'],
})

export const retryExport = endpoint({
  method: 'POST',
  path: '/api/export/{id}/retry',
  ...SITE,
  summary: 'Sends all failed deliveries of an export destination of the site again and returns their number.',
  reply: z.int(),
  errors: ['export_not_found'],
})

export const listOwnExports = endpoint({
  method: 'GET',
  path: '/api/user/export',
  ...OWN,
  summary: 'Lists your export destinations and their state.',
  reply: ExportList,
  errors: [],
})

export const createOwnExport = endpoint({
  method: 'POST',
  path: '/api/user/export',
  ...OWN,
  summary: 'Adds an export destination. It receives your requests from now on.',
  body: NewExport,
  reply: ExportDestination,
  errors: ['exports_disabled', 'export_limit', ...CHECKED],
})

export const updateOwnExport = endpoint({
  method: 'PUT',
  path: '/api/user/export/{id}',
  ...OWN,
  summary: 'Changes one of your export destinations.',
  body: ExportChange,
  reply: ExportDestination,
  errors: ['exports_disabled', 'export_not_found', 'export_secrets_needed', ...CHECKED],
})

export const deleteOwnExport = endpoint({
  method: 'DELETE',
  path: '/api/user/export/{id}',
  ...OWN,
  summary: 'Deletes one of your export destinations and its deliveries.',
  reply: z.undefined(),
  errors: ['export_not_found'],
})

export const testOwnExport = endpoint({
  method: 'POST',
  path: '/api/user/export/{id}/test',
  ...OWN,
  summary: 'Sends an example request to one of your export destinations and returns the result.',
  reply: ExportTest,
  errors: ['exports_disabled', 'export_not_found'],
})

export const listOwnExportDeliveries = endpoint({
  method: 'GET',
  path: '/api/user/export/deliveries',
  ...OWN,
  summary: 'Lists the deliveries of your export destinations, newest first.',
  query: deliveryQuery,
  reply: pageOf(ExportDelivery),
  errors: [],
})

export const retryOwnExportDelivery = endpoint({
  method: 'POST',
  path: '/api/user/export/deliveries/{id}/retry',
  ...OWN,
  summary: 'Sends one of your failed deliveries again.',
  reply: z.undefined(),
  errors: ['exports_disabled', 'export_delivery_not_found', 'export_delivery_not_failed'],
})

export const retryOwnExport = endpoint({
  method: 'POST',
  path: '/api/user/export/{id}/retry',
  ...OWN,
  summary: 'Sends all failed deliveries of one of your export destinations again and returns their number.',
  reply: z.int(),
  errors: ['exports_disabled', 'export_not_found'],
})
