import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { pageFields, pageOf, readPage, UNIFORM_PAGING } from '../../paging.ts'
import { Flag, OptionalInteger, OptionalText, UnixSeconds } from '../../values.ts'

/** Who changed what, and from where. Contains no secrets. */
export const AuditEvent = z.object({
  id: z.int(),
  created_at: UnixSeconds,
  /** 0 for the system. */
  actor_id: z.int(),
  actor: z.string(),
  /** Name of the automation token; blank for a person. */
  token: z.string(),
  /** Area and verb: `user.promote`. */
  action: z.string(),
  /** What was changed: the id of a user or a channel, the key of an option. */
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
  client_ip: z.string(),
  request_id: z.string(),
})
export type AuditEvent = z.output<typeof AuditEvent>

const filters = {
  actor_id: OptionalInteger,
  /** `user` matches the whole area, `user.promote` one action. */
  action: OptionalText,
  subject: OptionalText,
  start_timestamp: OptionalInteger,
  end_timestamp: OptionalInteger,
}
/** An export has all events, so that it can be verified. */
const listFilters = { ...filters, without_logins: Flag }
const paging = UNIFORM_PAGING

export const listAuditEvents = endpoint({
  method: 'GET',
  path: '/api/audit',
  access: 'root',
  summary: 'Lists audit events, newest first.',
  query: z
    .object({ ...listFilters, ...pageFields(paging) })
    .partial()
    .transform((query) => ({ filters: z.object(listFilters).partial().parse(query), page: readPage(query, paging) })),
  reply: pageOf(AuditEvent),
  errors: [],
})

export const exportAuditEvents = endpoint({
  method: 'GET',
  path: '/api/audit/export',
  access: 'root',
  summary:
    'Streams sealed audit events that match the filters as JSON lines, in the order of the hash chain. The export is recorded as an audit event.',
  query: z.object(filters).partial(),
  reply: z.string(),
  bare: true,
  sameOriginOnly: true,
  scope: 'read',
  errors: [],
})
