import dayjs from 'dayjs'

/** What the list is narrowed to, as the address holds it. Days are `2026-11-15`, blank when not chosen. */
export interface MessageFilters {
  keyword: string
  from: string
  to: string
}

export const NO_FILTERS: MessageFilters = { keyword: '', from: '', to: '' }

export function readFilters(search: URLSearchParams): MessageFilters {
  return { keyword: (search.get('keyword') ?? '').trim(), from: dayIn(search.get('from')), to: dayIn(search.get('to')) }
}

export const isFiltered = ({ keyword, from, to }: MessageFilters): boolean =>
  keyword !== '' || (from !== '' && to !== '')

/** The filters as the call names them. Dates count only as a pair; their days are those of the person's own zone. */
export function filterQuery({ keyword, from, to }: MessageFilters): Record<string, string> {
  return {
    ...(keyword && { keyword }),
    ...(from &&
      to && {
        start_date: dayjs(from).startOf('day').toISOString(),
        end_date: dayjs(to).endOf('day').toISOString(),
      }),
  }
}

function dayIn(text: string | null): string {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && dayjs(text).isValid() ? text : ''
}
