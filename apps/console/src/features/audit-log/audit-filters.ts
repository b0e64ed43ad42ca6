/** What the trail is narrowed to, as the address holds it. */
export interface AuditFilters {
  /** The id of whoever acted. */
  actor: number | null
  /** An area, such as `user`, or one action in it, such as `user.promote`. */
  action: string
  subject: string
  /** Unix seconds, both included. */
  start: number | null
  end: number | null
}

export function readFilters(search: URLSearchParams): AuditFilters {
  return {
    actor: wholeNumber(search.get('actor')),
    action: search.get('action') ?? '',
    subject: search.get('subject') ?? '',
    start: wholeNumber(search.get('start')),
    end: wholeNumber(search.get('end')),
  }
}

export const NO_FILTERS: AuditFilters = { actor: null, action: '', subject: '', start: null, end: null }

export const isFiltered = (filters: AuditFilters): boolean =>
  Object.values(filters).some((value) => value !== null && value !== '')

/** The filters as the call names them; what is not set is left out. */
export function filterQuery({ actor, action, subject, start, end }: AuditFilters): Record<string, string | number> {
  return {
    ...(actor !== null && { actor_id: actor }),
    ...(action && { action }),
    ...(subject && { subject }),
    ...(start !== null && { start_timestamp: start }),
    ...(end !== null && { end_timestamp: end }),
  }
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}
