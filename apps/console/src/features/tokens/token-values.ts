import type { Dayjs } from 'dayjs'

/** What the form collects; money is in units (dollars) here and becomes quota when sent. */
export interface TokenValues {
  name: string
  unlimited: boolean
  amount?: number | null
  expires?: Dayjs | null
  group?: string
}
