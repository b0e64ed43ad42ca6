import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { priceModels } from './price-catalogue/price-models.ts'
import { condensePrices, formatPrices, parsePrices } from './price-catalogue/public-prices.ts'
import { writeModules } from './price-catalogue/write-modules.ts'

/**
 * Makes the default prices and limits of models anew.
 *
 * `price-catalogue.ts` makes them from the condensed list that is kept beside them; `price-catalogue.ts <list> <version>`
 * condenses a newer public list first (an array of models with `model`, `vendor`, `mode`, prices in USD per million
 * tokens and limits), under a version such as 2027.01.
 */
const folder = join(import.meta.dirname, '../packages/contract/src/options/default-prices')
const kept = join(folder, 'public-prices.jsonl')

const [list, version] = process.argv.slice(2)
if (list !== undefined) {
  if (!/^\d{4}\.\d{2}(\.\d+)?$/.test(version ?? '')) throw new Error('give the list a version, such as 2027.01')
  await writeFile(kept, formatPrices(condensePrices(JSON.parse(await readFile(list, 'utf8')), version!)))
}

const prices = parsePrices(await readFile(kept, 'utf8'))
const modules = writeModules(prices.version, priceModels(prices))
for (const made of ['vendors', 'limits', 'abilities']) await rm(join(folder, made), { recursive: true, force: true })
for (const [path, text] of modules) {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}
console.log(`wrote ${modules.size} files of price list ${prices.version}`)
