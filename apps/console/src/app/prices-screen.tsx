import { useMaySetPrices } from '../api/use-may-set-prices.ts'
import type { RenderRawChange } from '../features/prices/history/history-tab.tsx'
import PricesPage from '../features/prices/prices-page.tsx'
import { RawChange } from '../features/settings/history/value-change.tsx'
import { PriceOptions } from '../features/settings/price-options.tsx'
import { NoAccess } from './screen-states.tsx'

/** The prices page with the raw values and the JSON editors of the settings. */
export default function PricesScreen() {
  return useMaySetPrices() ? <PricesPage renderRawChange={renderRawChange} renderJson={renderJson} /> : <NoAccess />
}

const renderJson = (onUnsaved: (hasChanges: boolean) => void) => <PriceOptions onUnsaved={onUnsaved} />

const renderRawChange: RenderRawChange = (change, facts) => <RawChange change={change} facts={facts} />
