import { readFileSync } from 'node:fs'
import { catalogueProblems } from './catalogue-problems.ts'

/** `npm run prices:check`: lists the problems of the price catalogue and exits with 1 if there are any. */
const catalogue = JSON.parse(
  readFileSync(new URL('../packages/contract/src/options/default-prices/catalogue.json', import.meta.url), 'utf8'),
) as { models: unknown[]; collected: string }
const problems = catalogueProblems(catalogue)
for (const problem of problems) console.error(problem)
console.log(
  problems.length === 0
    ? `prices: ${catalogue.models.length} models, collected ${catalogue.collected}`
    : `prices: ${problems.length} problems`,
)
process.exitCode = problems.length === 0 ? 0 : 1
