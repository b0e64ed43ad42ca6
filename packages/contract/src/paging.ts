import { z } from 'zod'
import { parseInteger } from './values.ts'

export interface PagingRules {
  /** Value of `p` for the first page; it differs between endpoints and clients rely on it. */
  base: 0 | 1
  /** Name of the size parameter. */
  sizeName?: 'page_size' | 'size'
  defaultSize?: number
  maxSize?: number
}

/**
 * Paging of lists that the specification does not define: `p` from 1, `page_size` 20 by default and at most 100. The
 * response has `items`, `total`, `page` and `page_size`.
 */
export const UNIFORM_PAGING = { base: 1, defaultSize: 20 } as const satisfies PagingRules

export interface PageRequest {
  /** 1-based page number of the response. */
  page: number
  limit: number
  offset: number
}

/** Parses `p` and the page size; invalid values mean the first page and the default size. */
export function pageQuery(rules: PagingRules) {
  return z
    .object(pageFields(rules))
    .partial()
    .transform((query): PageRequest => readPage(query, rules))
}

/** The query parameters of a page, for endpoints with additional parameters. */
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
  const number = Math.max(parseInteger(query['p']) ?? base, base)
  const requested = parseInteger(query[sizeName]) ?? parseInteger(query['page_size']) ?? 0
  const limit = requested > 0 ? Math.min(requested, maxSize) : defaultSize
  const page = Math.min(number - base + 1, MAX_PAGE)
  return { page, limit, offset: (page - 1) * limit }
}

export interface Page<Item> {
  items: Item[]
  total: number
  /** Always 1-based, even if the request used another base. */
  page: number
  page_size: number
}

/** Schema of one page of `item`. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), total: z.int(), page: z.int(), page_size: z.int() })
}

export function toPage<Item>(items: Item[], total: number, { page, limit }: PageRequest): Page<Item> {
  return { items, total, page, page_size: limit }
}

/** Keeps page × size a safe integer. */
const MAX_PAGE = 1_000_000_000
