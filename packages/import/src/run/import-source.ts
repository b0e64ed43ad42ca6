import { type Db, loadSettings, type Vault } from '@tidegate/storage'
import { InputError } from '../errors.ts'
import type { ImportData } from '../model/import-data.ts'
import { readDatabase } from '../model/read-database.ts'
import { readConfig } from '../products/litellm/config.ts'
import { readDeployments, type Variable } from '../products/litellm/read-channels.ts'
import { readSettings } from '../products/litellm/read-options.ts'
import { newApi } from '../products/new-api.ts'
import { oneApi } from '../products/one-api.ts'
import type { Product } from '../products/product.ts'
import { veloera } from '../products/veloera.ts'
import type { Report } from '../report.ts'
import { openSource } from '../sources/open-source.ts'
import type { Source } from '../sources/source.ts'

/** An opened source. It can be read several times. */
export interface ImportSource {
  readonly product: string
  /** Identifies the source in later runs. */
  readonly source: string
  read(report: Report): Promise<ImportData>
  /** The database with its log; undefined for a file. */
  readonly database?: { readonly source: Source; readonly product: Product }
  close(): Promise<void>
}

export interface ImportSourceOptions {
  readonly from: string
  readonly product: string
  /** Replaces the address as the identifier of the source, for a source that has moved. */
  readonly name?: string | undefined
  readonly variable: Variable
}

export async function openImportSource(
  site: { db: Db; vault: Vault },
  options: ImportSourceOptions,
): Promise<ImportSource> {
  if (options.from.startsWith('litellm:')) return liteLlmSource(site, options)
  const source = await openSource(options.from)
  try {
    if (options.product === 'litellm') throw new InputError('LiteLLM moves by its file: --from litellm:config.yaml')
    const product = await chooseProduct(source, options.product)
    return {
      product: product.name,
      source: options.name ?? source.address,
      read: (report) => readDatabase(source, product, report),
      database: { source, product },
      close: () => source.close(),
    }
  } catch (error) {
    await source.close()
    throw error
  }
}

function liteLlmSource(
  site: { db: Db; vault: Vault },
  { from, product, name, variable }: ImportSourceOptions,
): ImportSource {
  if (product !== 'auto' && product !== 'litellm') throw new InputError(`litellm:FILE is no database of ${product}.`)
  return {
    product: 'litellm',
    source: name ?? 'litellm',
    async read(report) {
      const config = await readConfig(from.slice('litellm:'.length))
      const settings = await loadSettings(site.db, site.vault)
      return {
        channels: readDeployments(config.model_list, report, variable),
        options: readSettings(config, settings, report),
        users: [],
        tokens: [],
        redemptions: [],
        topUps: [],
      }
    },
    close: async () => {},
  }
}

const PRODUCTS: readonly Product[] = [oneApi, newApi, veloera]
const NAMES = PRODUCTS.map(({ name }) => name).join(', ')

/** Finds the product by name, or by columns that only one of them has. */
async function chooseProduct(source: Source, requested: string): Promise<Product> {
  const [users, tokens, channels] = await Promise.all(
    ['users', 'tokens', 'channels'].map((table) => source.columnsOf(table)),
  )
  if (![users!, tokens!, channels!].every((columns) => columns.has('id'))) {
    throw new InputError(`${source.address} has no tables users, tokens and channels: it is none of ${NAMES}.`)
  }
  const named = PRODUCTS.find(({ name }) => name === requested)
  if (requested !== 'auto' && !named) throw new InputError(`--product must be auto, litellm or one of ${NAMES}.`)
  if (named) return named
  if (users!.has('last_check_in_time') || channels!.has('model_prefix')) return veloera
  return tokens!.has('model_limits_enabled') ? newApi : oneApi
}
