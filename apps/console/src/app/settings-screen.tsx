import { Navigate, useLocation } from 'react-router'
import { useMaySetPrices } from '../api/use-may-set-prices.ts'
import { VirtualModels } from '../features/virtual-models/virtual-models.tsx'
import SettingsPage from '../features/settings/settings-page.tsx'

/** The settings with the editor of virtual models. Old links to prices are redirected to the prices page. */
export default function SettingsScreen() {
  const prices = pricesPath(useLocation())
  const maySetPrices = useMaySetPrices()
  return prices !== null && maySetPrices ? (
    <Navigate to={prices} replace />
  ) : (
    <SettingsPage mapping={<VirtualModels />} />
  )
}

const PRICE_OPTIONS: ReadonlySet<string> = new Set([
  'ModelRates',
  'ModelPrice',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
])

/** The redirect of an old link to prices, or null. */
function pricesPath({ search, hash }: { search: string; hash: string }): string | null {
  const parameters = new URLSearchParams(search)
  const view = parameters.get('prices')
  if (view === 'json' || PRICE_OPTIONS.has(hash.slice(1))) return '/admin/prices?panel=json'
  if (view === null) return hash === '#prices' ? '/admin/prices' : null
  const keyword = parameters.get('keyword')
  const show = view === 'unset' ? 'unpriced' : keyword ? 'all' : null
  const query = new URLSearchParams({ ...(show && { show }), ...(keyword && { keyword }) }).toString()
  return query === '' ? '/admin/prices' : `/admin/prices?${query}`
}
