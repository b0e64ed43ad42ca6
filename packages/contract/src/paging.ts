import { z } from 'zod'
import { wholeNumber } from './values.ts'

export interface PagingRules {
  /** The number `p` has on the first page; it differs from call to call and the console relies on it. */
  base: 0 | 1
  /** Name of the size parameter on the wire. */
  sizeName?: 'page_size' | 'size'
  defaultSize?: number
  maxSize?: number
}

/**
 * The paging of every list that is not fixed by the specification: `p` from 1, `page_size` of 20 and at most 100, and an
 * answer of `items`, `total`, `page` and `page_size`.
 */
export const UNIFORM_PAGING = { base: 1, defaultSize: 20 } as const satisfies PagingRules

export interface PageRequest {
  /** 1-based page number for the answer. */
  page: number
  limit: number
  offset: number
}

/** Reads `p` and the page size as the call defines them; anything unreadable means the first page of default size. */
export function pageQuery(rules: PagingRules) {
  return z
    .object(pageFields(rules))
    .partial()
    .transform((query): PageRequest => readPage(query, rules))
}

/** The two query parameters of a page, for calls that have others beside them. */
export function pageFields({ base, sizeName = 'page_size', defaultSize = 10, maxSize = 100 }: PagingRules) {
  const number = z.unknown().meta({ type: 'integer', minimum: base, default: base, description: 'Page' })
  const size = z
    .unknown()
    .meta({ type: 'integer', minimum: 1, maximum: maxSize, default: defaultSize, description: 'Rows on a page' })
  return { p: number, page_size: size, [sizeName]: size }
}

export function readPage(
  query: Readonly<Record<string, unknown>>,
  { base, sizeName = 'page_size', defaultSize = 10, maxSize = 100 }: PagingRules,
): PageRequest {
  const number = Math.max(wholeNumber(query['p']) ?? base, base)
  const requested = wholeNumber(query[sizeName]) ?? wholeNumber(query['page_size']) ?? 0
  const limit = requested > 0 ? Math.min(requested, maxSize) : defaultSize
  const page = Math.min(number - base + 1, MAX_PAGE)
  return { page, limit, offset: (page - 1) * limit }
}

export interface Page<Item> {
  items: Item[]
  total: number
  /** Always the 1-based number of the page, whatever base the request used. */
  page: number
  page_size: number
}

/** The shape of one page of `item`. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), total: z.int(), page: z.int(), page_size: z.int() })
}

export function pageAnswer<Item>(items: Item[], total: number, { page, limit }: PageRequest): Page<Item> {
  return { items, total, page, page_size: limit }
}

/** Keeps page × size a safe integer whatever a caller sends. */
const MAX_PAGE = 1_000_000_000
