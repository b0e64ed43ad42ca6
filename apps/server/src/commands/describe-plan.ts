import type { api } from '@tidegate/contract'

const SIGNS = { create: '+', update: '~', delete: '-', unchanged: ' ' } as const
const LONGEST_VALUE = 160

/** A plan for a person at a terminal: what would change, field by field, and how much in all. */
export function describePlan({ items }: api.ConfigPlan): string {
  const changed = items.filter(({ action }) => action !== 'unchanged')
  const count = (action: api.ConfigItem['action']) => items.filter((item) => item.action === action).length
  const sums = `${count('create')} to create, ${count('update')} to change, ${count('delete')} to remove, ${count('unchanged')} unchanged.`
  return [...changed.flatMap(describeItem), ...(changed.length > 0 ? [''] : []), sums].join('\n')
}

function describeItem({ kind, name, action, changes }: api.ConfigItem): string[] {
  return [
    `${SIGNS[action]} ${kind} ${name === '' ? '' : shown(name)}`.trimEnd(),
    ...changes.map((change) => `    ${describeChange(change)}`),
  ]
}

function describeChange({ field, before, after, secret }: api.ConfigChange): string {
  const label = field === '' ? '' : `${field}: `
  if (secret) return `${label}(secret) changes`
  if (before === null) return `${label}${shown(after)}`
  return `${label}${shown(before)} → ${after === null ? '(gone)' : shown(after)}`
}

/** On one line, and not more of it than tells one value from another. */
function shown(value: string | null): string {
  const line = JSON.stringify(value ?? '')
    .slice(1, -1)
    .replaceAll('\\"', '"')
  if (line === '') return '(blank)'
  return line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE)}… (${line.length} characters)` : line
}
