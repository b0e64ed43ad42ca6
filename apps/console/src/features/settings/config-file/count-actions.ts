import type { ConfigItem, ConfigPlan } from '@tidegate/contract/api'

export function countActions({ items }: ConfigPlan) {
  const count = (action: ConfigItem['action']) => items.filter((item) => item.action === action).length
  const [created, updated, removed] = [count('create'), count('update'), count('delete')]
  return { created, updated, removed, changed: created + updated + removed, unchanged: count('unchanged') }
}
