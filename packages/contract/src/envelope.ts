import type { ErrorCode } from './errors.ts'

/** Every `/api` answer. A business refusal is HTTP 200 with `success: false`; `code` is stable, `message` is for people. */
export type Envelope<Data = unknown> =
  | { success: true; message: string; data?: Data }
  | { success: false; message: string; code: ErrorCode; data?: unknown }

export interface Page<Item> {
  items: Item[]
  total: number
  /** Always the 1-based number of the page, whatever base the request used. */
  page: number
  page_size: number
}
