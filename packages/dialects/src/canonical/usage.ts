import type { FeeCount, ServiceTerms, UsageReport } from '@tidegate/contract'

/** Tier names of providers for service at list price. */
const STANDARD_TIERS = new Set(['', 'default', 'standard', 'auto', 'scale', 'on_demand'])

export function readServiceTier(tier: string): Pick<ServiceTerms, 'serviceTier'> {
  return STANDARD_TIERS.has(tier) ? {} : { serviceTier: tier }
}

/** Fees with a count above zero. */
export function feesOf(counts: Partial<Record<FeeCount['fee'], number>>): Pick<ServiceTerms, 'fees'> {
  const fees = (Object.entries(counts) as [FeeCount['fee'], number][])
    .filter(([, count]) => count > 0)
    .map(([fee, count]) => ({ fee, count }))
  return fees.length > 0 ? { fees } : {}
}

/** Web searches, as each provider charges them. */
export function searchesOf({ terms }: UsageReport): number {
  const counts = (terms?.fees ?? []).filter(({ fee }) => fee === 'webSearch' || fee === 'webSearchQuery')
  return Math.max(0, ...counts.map(({ count }) => count))
}

/** Standard terms are left out. */
export function addTerms(counts: UsageReport, terms: ServiceTerms): UsageReport {
  return Object.keys(terms).length === 0 ? counts : { ...counts, terms }
}

/** Limits a part to its total. */
export function atMost(part: number, whole: number): number {
  return Math.min(part, Math.max(0, whole))
}
