import { Mistake } from '../errors.ts'
import type { Source } from '../sources/source.ts'
import { newApi } from './new-api.ts'
import { oneApi } from './one-api.ts'
import type { Product } from './product.ts'
import { veloera } from './veloera.ts'

const PRODUCTS: readonly Product[] = [oneApi, newApi, veloera]
const NAMES = PRODUCTS.map(({ name }) => name).join(', ')

/** The product by its name, or by columns that only one of them has. */
export async function chooseProduct(source: Source, asked: string): Promise<Product> {
  const [users, tokens, channels] = await Promise.all(
    ['users', 'tokens', 'channels'].map((table) => source.columnsOf(table)),
  )
  if (![users!, tokens!, channels!].every((columns) => columns.has('id'))) {
    throw new Mistake(`${source.address} has no tables users, tokens and channels: it is none of ${NAMES}.`)
  }
  const named = PRODUCTS.find(({ name }) => name === asked)
  if (asked !== 'auto' && !named) throw new Mistake(`--product must be auto, litellm or one of ${NAMES}.`)
  if (named) return named
  if (users!.has('last_check_in_time') || channels!.has('model_prefix')) return veloera
  return tokens!.has('model_limits_enabled') ? newApi : oneApi
}
