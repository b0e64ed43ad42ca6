/** What vendors publish of a model. Token prices are USD per million. */
export interface PublicModel {
  readonly vendor: string
  readonly model: string
  readonly mode: string
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly audioInput?: number
  readonly audioOutput?: number
  readonly perImage?: number
  readonly perQuery?: number
  readonly inputPerSecond?: number
  readonly context?: number
  readonly maxOutput?: number
  readonly can?: readonly string[]
}

/** The part of a public price list that the product is made from. */
export interface PublicPrices {
  /** Raised with every change to the figures. */
  readonly version: string
  readonly models: readonly PublicModel[]
}

const FIGURES = [
  'input',
  'output',
  'cacheRead',
  'audioInput',
  'audioOutput',
  'perImage',
  'perQuery',
  'inputPerSecond',
  'context',
  'maxOutput',
] as const

/** What the price list tells of a model; two of them decide what it costs, too. */
const ABILITIES = ['vision', 'tools', 'reasoning', 'json', 'audio', 'pdf', 'cache']

/** Takes from a list of models what we use of it, in an order that does not depend on the list's. */
export function condensePrices(list: unknown, version: string): PublicPrices {
  if (!Array.isArray(list)) throw new Error('a price list is an array of models')
  const models = (list as Record<string, unknown>[]).map(condenseModel)
  const names = models.map(({ model }) => model)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`${twice} is listed twice`)
  return { version, models: models.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1)) }
}

function condenseModel(row: Record<string, unknown>): PublicModel {
  const { vendor, model, mode, can } = row
  if (typeof vendor !== 'string' || typeof model !== 'string' || typeof mode !== 'string') {
    throw new Error(`no name: ${JSON.stringify(row)}`)
  }
  const figures = FIGURES.flatMap((key) => {
    const figure = row[key]
    if (figure === undefined) return []
    if (typeof figure !== 'number' || !(figure >= 0)) throw new Error(`${key} of ${model} is ${JSON.stringify(figure)}`)
    return [[key, figure] as const]
  })
  const abilities = Array.isArray(can) ? ABILITIES.filter((ability) => can.includes(ability)) : []
  return { vendor, model, mode, ...Object.fromEntries(figures), ...(abilities.length > 0 && { can: abilities }) }
}

function orderOf({ vendor, model }: PublicModel): string {
  return `${vendor} ${model}`
}

/** A model to a line, so that a change of prices reads as one. */
export function formatPrices({ version, models }: PublicPrices): string {
  return [{ version }, ...models].map((line) => `${JSON.stringify(line)}\n`).join('')
}

export function parsePrices(text: string): PublicPrices {
  const [head, ...models] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  return { version: (head as { version: string }).version, models: models as PublicModel[] }
}
