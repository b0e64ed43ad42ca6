import { ORDER_STATUSES } from '@tidegate/contract/api'

/** What the list is narrowed to, as the address and the call both name it. */
export interface OrderFilters {
  /** As it was typed: whether it is an id is for `isUserId` to say. */
  user_id: string
  status: string
  provider: string
  /** Whole, as a customer or the payment service quotes it. */
  trade_no: string
}

export { ORDER_STATUSES }
export const PROVIDERS = ['epay', 'stripe'] as const

export const NO_FILTERS: OrderFilters = { user_id: '', status: '', provider: '', trade_no: '' }

export const readFilters = (search: URLSearchParams): OrderFilters => ({
  user_id: read(search, 'user_id').replace(/^#/, ''),
  status: ORDER_STATUSES.find((known) => known === search.get('status')) ?? '',
  provider: read(search, 'provider'),
  trade_no: read(search, 'trade_no'),
})

export const isFiltered = (filters: OrderFilters): boolean => Object.values(filters).some((value) => value !== '')

/** Blank stands for everybody. The server would quietly list all orders for what is no number. */
export const isUserId = (text: string): boolean => text === '' || /^[1-9]\d{0,14}$/.test(text)

/** Only what is set. */
export const filterQuery = (filters: OrderFilters): Partial<OrderFilters> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))

const read = (search: URLSearchParams, name: string) => (search.get(name) ?? '').trim()
