import type { PricedModel } from './price-models.ts'

const HEADER = '// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.\n'

/** The modules of the default list, by their path beside `public-prices.jsonl`. */
export function writeModules(version: string, models: readonly PricedModel[]): Map<string, string> {
  return new Map([
    ['version.ts', `${HEADER}export const DEFAULT_PRICES_VERSION = '${version}'\n`],
    ['vendors/pieces.ts', figures('piecePrices', models, ({ price }) => price)],
    [
      'vendors/audio.ts',
      rows('audioPrices', 'AudioRow', models, (model) => [model.audioRatio, model.audioCompletionRatio]),
    ],
    ...byVendor('vendors', 'Prices', 'PriceRow', models, (model) => [
      model.modelRatio,
      model.completionRatio,
      model.cacheRatio,
    ]),
    ...byVendor('limits', 'Limits', 'LimitRow', models, ({ context, maxOutput }) => [context, maxOutput]),
    ...abilitiesByVendor(models),
  ])
}

type Cells = (model: PricedModel) => (number | undefined)[]

/** A file for each vendor that has such rows, and one that gathers them. */
function byVendor(
  folder: string,
  suffix: string,
  type: string,
  models: readonly PricedModel[],
  cells: Cells,
): [path: string, text: string][] {
  const known = models.filter((model) => cells(model)[0] !== undefined)
  const vendors = [...new Set(known.map(({ vendor }) => vendor))].toSorted().map((vendor) => {
    const file = vendor.toLowerCase()
    return { file, name: `${file}${suffix}`, rows: known.filter((model) => model.vendor === vendor) }
  })
  const files = vendors.map(({ file, name, rows: own }): [string, string] => [
    `${folder}/${file}.ts`,
    rows(name, type, own, cells),
  ])
  return [...files, [`${folder}/index.ts`, gather(`vendor${suffix}`, type, vendors)]]
}

/** Whose each model is, and what it can do. */
function abilitiesByVendor(models: readonly PricedModel[]): [path: string, text: string][] {
  const vendors = [...new Set(models.map(({ vendor }) => vendor))].toSorted()
  const files = vendors.map((vendor): [string, string] => {
    const lines = models
      .filter((model) => model.vendor === vendor)
      .map(({ name, abilities }) => `  ${key(name)}: [${abilities.map((ability) => `'${ability}'`).join(', ')}],\n`)
    const text = `export const ${vendor.toLowerCase()}Abilities: AbilityRows = {\n${lines.join('')}}\n`
    return [`abilities/${vendor.toLowerCase()}.ts`, `${HEADER}import type { AbilityRows } from '../rows.ts'\n\n${text}`]
  })
  const imports = vendors
    .map((vendor) => vendor.toLowerCase())
    .map((file) => `import { ${file}Abilities } from './${file}.ts'\n`)
  const lines = vendors.map((vendor) => `  ${key(vendor)}: ${vendor.toLowerCase()}Abilities,\n`)
  const index =
    `${HEADER}import type { AbilityRows } from '../rows.ts'\n${imports.join('')}\n` +
    `export const vendorAbilities: Readonly<Record<string, AbilityRows>> = {\n${lines.join('')}}\n`
  return [...files, ['abilities/index.ts', index]]
}

function rows(name: string, type: string, models: readonly PricedModel[], cells: Cells): string {
  const lines = models.flatMap((model) => {
    const row = cells(model)
    const known = row.slice(0, row.findLastIndex((cell) => cell !== undefined) + 1)
    return known.length === 0 ? [] : [`  ${key(model.name)}: [${known.map(String).join(', ')}],\n`]
  })
  return (
    `${HEADER}import type { ${type} } from '../rows.ts'\n\n` +
    `export const ${name}: Readonly<Record<string, ${type}>> = {\n${lines.join('')}}\n`
  )
}

function figures(
  name: string,
  models: readonly PricedModel[],
  cell: (model: PricedModel) => number | undefined,
): string {
  const lines = models.flatMap((model) => {
    const figure = cell(model)
    return figure === undefined ? [] : [`  ${key(model.name)}: ${String(figure)},\n`]
  })
  return `${HEADER}export const ${name}: Readonly<Record<string, number>> = {\n${lines.join('')}}\n`
}

function gather(name: string, type: string, parts: readonly { file: string; name: string }[]): string {
  const imports = parts.map((part) => `import { ${part.name} } from './${part.file}.ts'\n`)
  const spreads = parts.map((part) => `  ...${part.name},\n`)
  return (
    `${HEADER}import type { ${type} } from '../rows.ts'\n${imports.join('')}\n` +
    `export const ${name}: Readonly<Record<string, ${type}>> = {\n${spreads.join('')}}\n`
  )
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`
}
