import { AREAS, type Outcome } from '../report.ts'
import type { ImportResult, ImportVerification } from './run-import.ts'

/** Singular and plural. */
const OUTCOME_TEXT: Record<Outcome, readonly [string, string]> = {
  left: ['is not imported', 'are not imported'],
  changed: ['is imported with a change', 'are imported with changes'],
  clash: ['is a conflict', 'are conflicts'],
}
const LABELS = { top_ups: 'top-ups' } as Record<string, string>

/** Formats the report for a terminal. */
export function describeImport(result: ImportResult, applied: boolean): string {
  const { product, source, counts, findings } = result
  const verb = applied ? 'imported' : 'to import'
  const table = AREAS.filter((area) => counts[area].found > 0).map((area) => {
    const { found, carried, present } = counts[area]
    return `  ${(LABELS[area] ?? area).padEnd(12)} ${found} found, ${carried} ${verb}, ${present} already here`
  })
  const lines = findings.map(
    ({ area, outcome, reason, count, examples }) =>
      `  ${(LABELS[area] ?? area).padEnd(12)} ${count} ${OUTCOME_TEXT[outcome][count === 1 ? 0 : 1]}: ${reason} [${examples.join(', ')}${count > examples.length ? ', …' : ''}]`,
  )
  return [
    `${product} at ${source}`,
    ...table,
    ...(lines.length > 0 ? ['', ...lines] : []),
    '',
    ...describeEnd(result, applied),
  ].join('\n')
}

function describeEnd({ findings, moved, proof }: ImportResult, applied: boolean): string[] {
  const clashes = findings.filter(({ outcome }) => outcome === 'clash')
  if (clashes.length > 0) {
    return [
      'Nothing is imported while there are conflicts. Rename one side and run the command again. If the source moved,',
      'name its earlier address with --source. To leave out conflicting rows, use --skip-clashes.',
    ]
  }
  if (!applied) return ['Nothing was changed. Run the command with --yes to import.']
  return [moved ? 'Done.' : 'There was nothing to import: everything is here already.', ...describeProof(proof!)]
}

function describeProof({ compared, differences, imbalances, straySums }: ImportVerification): string[] {
  return [
    ...differences.map(
      ({ what, source, here }) => `${what}: ${source} in the source, imported with ${here} (${here - source})`,
    ),
    ...imbalances.map(({ user_id, token_id, held, expected }) => {
      const account = token_id === 0 ? `user ${user_id}` : `token ${token_id} of user ${user_id}`
      return `${account}: holds ${held}, should hold ${expected}`
    }),
    ...straySums.map(({ table, part, quota, expected }) => `${table}, ${part}: ${quota}, should be ${expected}`),
    differences.length === 0
      ? `${compared} balances equal the source to the unit.`
      : 'Balances differ from the source.',
    imbalances.length + straySums.length === 0 ? 'The books balance.' : 'The books do not balance.',
  ]
}
