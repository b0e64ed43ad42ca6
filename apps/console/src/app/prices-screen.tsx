import { useMaySetPrices } from '../api/use-may-set-prices.ts'
import PricesPage from '../features/prices/prices-page.tsx'
import { PriceHistory } from '../features/settings/history/price-history.tsx'
import { PriceOptions } from '../features/settings/price-options.tsx'
import { NoAccess } from './screen-states.tsx'

/** The prices page with the history and the JSON editors of the settings. */
export default function PricesScreen() {
  return useMaySetPrices() ? <PricesPage history={<PriceHistory />} renderJson={renderJson} /> : <NoAccess />
}

const renderJson = (onUnsaved: (hasChanges: boolean) => void) => <PriceOptions onUnsaved={onUnsaved} />
