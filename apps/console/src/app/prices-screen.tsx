import { useMaySetPrices } from '../api/use-may-set-prices.ts'
import type { RenderRawChange } from '../features/prices/history/history-tab.tsx'
import PricesPage, { type RenderPanel } from '../features/prices/prices-page.tsx'
import { RawChange } from '../features/settings/history/value-change.tsx'
import { PriceOptions } from '../features/settings/price-options.tsx'
import { NoAccess } from './screen-states.tsx'

/** The prices page with the raw values and the forms of the settings. */
export default function PricesScreen() {
  return useMaySetPrices() ? <PricesPage renderRawChange={renderRawChange} renderPanel={renderPanel} /> : <NoAccess />
}

const renderPanel: RenderPanel = (panel, onUnsaved) => <PriceOptions key={panel} panel={panel} onUnsaved={onUnsaved} />

const renderRawChange: RenderRawChange = (change, facts) => <RawChange change={change} facts={facts} />
