/** Codes as the server answered them when they were made. */
export interface MadeCoupons {
  name: string
  keys: string[]
}
