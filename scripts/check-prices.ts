import { readFileSync } from 'node:fs'
import { RateCard, tierProblems } from '@tidegate/contract'
import { z } from 'zod'

const Day = z.iso.date()
const Price = RateCard.extend({
  currency: z.enum(['USD', 'CNY']).optional(),
  source: z.array(z.string()).min(1),
  confidence: z.enum(['high', 'medium', 'low']),
  note: z.string().optional(),
})
const Model = z.strictObject({
  model: z.string().min(1),
  provider: z.string().min(1),
  mode: z.string().min(1),
  aliases: z.array(z.string()).optional(),
  contextWindow: z.int().positive().optional(),
  maxInput: z.int().positive().optional(),
  maxOutput: z.int().positive().optional(),
  capabilities: z.record(z.string(), z.unknown()).optional(),
  endOfLife: Day.optional(),
  replacedBy: z.string().optional(),
  note: z.string().optional(),
  prices: z.array(Price).min(1),
})
const Catalogue = z.looseObject({
  sources: z.record(z.string(), z.looseObject({ what: z.string(), date: z.string() })),
  schedules: z.record(
    z.string(),
    z.looseObject({ days: z.enum(['Mon-Fri', 'every']), utc: z.array(z.tuple([z.string(), z.string()])) }),
  ),
  models: z.array(Model),
})
type Catalogue = z.output<typeof Catalogue>
type Price = z.output<typeof Price>

/** Every problem of a price catalogue, one line each. */
export function catalogueProblems(catalogue: unknown): string[] {
  const read = Catalogue.safeParse(catalogue)
  if (!read.success) return read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  return [...repeatedNames(read.data), ...read.data.models.flatMap((model) => modelProblems(model, read.data))]
}

function repeatedNames({ models }: Catalogue): string[] {
  const seen = new Set<string>()
  return models
    .flatMap(({ model, aliases = [] }) => [model, ...aliases])
    .filter((name) => seen.size === seen.add(name).size)
    .map((name) => `${name} is listed twice`)
}

function modelProblems({ model, mode, prices }: Catalogue['models'][number], catalogue: Catalogue): string[] {
  const problems = prices.flatMap((price) => priceProblems(price, catalogue))
  if (mode === 'chat') {
    const isPriced = ({ rates }: Price) => rates?.input !== undefined && rates.output !== undefined
    if (!prices.every(isPriced)) problems.push('a chat model needs an input and an output rate')
  }
  const periods = prices.map(({ effective = '' }) => effective)
  if (new Set(periods).size < periods.length) problems.push('two prices take effect on the same day')
  return problems.map((problem) => `${model}: ${problem}`)
}

function priceProblems(price: Price, { sources, schedules }: Catalogue): string[] {
  const { effective = '', until, source, rates, fees } = price
  const problems = source.filter((id) => !Object.hasOwn(sources, id)).map((id) => `unknown source ${id}`)
  if (until !== undefined && until < effective) problems.push(`ends on ${until}, before it takes effect`)
  if (!rates && !fees) problems.push('has neither rates nor fees')
  return [...problems, ...tierProblems(price, schedules).map(({ message }) => message)]
}

/** Lists the problems of the price catalogue and fails if there are any. */
function checkPrices(path: URL): void {
  const catalogue = JSON.parse(readFileSync(path, 'utf8')) as { models: unknown[]; collected: string }
  const problems = catalogueProblems(catalogue)
  for (const problem of problems) console.error(problem)
  console.log(
    problems.length === 0
      ? `prices: ${catalogue.models.length} models, collected ${catalogue.collected}`
      : `prices: ${problems.length} problems`,
  )
  process.exitCode = problems.length === 0 ? 0 : 1
}

const CATALOGUE = '../packages/contract/src/options/default-prices/catalogue.json'
if (import.meta.main) checkPrices(new URL(CATALOGUE, import.meta.url))
