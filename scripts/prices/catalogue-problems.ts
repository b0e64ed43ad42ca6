import { BUCKETS, FEES } from '@tidegate/contract'
import { z } from 'zod'

const Day = z.iso.date()
const Moment = z.union([Day, z.iso.datetime()])
const Amount = z.number().min(0).max(100_000)
const Rates = z.partialRecord(z.enum(BUCKETS), Amount)
const Conditions = z.strictObject({
  inputAbove: z.int().positive().optional(),
  inclusive: z.boolean().optional(),
  serviceTier: z.enum(['priority', 'ultrafast', 'flex', 'batch']).optional(),
  speed: z.literal('fast').optional(),
  region: z.enum(['us', 'eu']).optional(),
  schedule: z.string().optional(),
})
const Tier = z.union([
  z.strictObject({ when: Conditions, rates: Rates }),
  z.strictObject({ when: Conditions, multiply: z.union([Amount, Rates]) }),
])
const Price = z.strictObject({
  effective: Moment.optional(),
  until: Moment.optional(),
  currency: z.enum(['USD', 'CNY']).optional(),
  rates: Rates.optional(),
  tiers: z.array(Tier).optional(),
  fees: z
    .partialRecord(z.enum([...FEES, 'webSearchInputBlock']), z.union([Amount, z.record(z.string(), Amount)]))
    .optional(),
  imageEstimate: z.record(z.string(), Amount).optional(),
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
  schedules: z.record(z.string(), z.looseObject({ days: z.enum(['Mon-Fri', 'every']) })),
  models: z.array(Model),
})
type Catalogue = z.output<typeof Catalogue>
type Price = z.output<typeof Price>

/** Everything that is wrong with a price catalogue, one line each. */
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
  const { effective = '', until, source, tiers = [], rates, fees } = price
  const problems = source.filter((id) => !Object.hasOwn(sources, id)).map((id) => `unknown source ${id}`)
  if (until !== undefined && until < effective) problems.push(`ends on ${until}, before it takes effect`)
  if (!rates && !fees) problems.push('has neither rates nor fees')
  for (const { when } of tiers) {
    if (Object.keys(when).length === 0) problems.push('a tier without a condition')
    if (when.schedule !== undefined && !Object.hasOwn(schedules, when.schedule)) {
      problems.push(`unknown schedule ${when.schedule}`)
    }
  }
  return [...problems, ...ambiguousTiers(price)]
}

/** Two tiers that replace rates and can match together need a third that names the conditions of both. */
function ambiguousTiers({ tiers = [] }: Price): string[] {
  const replacing = tiers.flatMap((tier) => ('rates' in tier ? [tier.when] : []))
  const dimensions = (when: object) => Object.keys(when).filter((name) => name !== 'inclusive')
  return replacing.flatMap((one, index) =>
    replacing.slice(index + 1).flatMap((other) => {
      const [ofOne, ofOther] = [dimensions(one), dimensions(other)]
      if (ofOne.length !== ofOther.length || ofOne.every((name) => ofOther.includes(name))) return []
      const both = new Set([...ofOne, ...ofOther])
      const isNamed = replacing.some((when) => [...both].every((name) => dimensions(when).includes(name)))
      return isNamed ? [] : [`no tier for ${[...both].join(' with ')}`]
    }),
  )
}
